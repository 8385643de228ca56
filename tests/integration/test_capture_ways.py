"""Both ways of capturing, by stopping and by streaming, bring the same: proven entry by entry on a corpus of programs.

The stack is what asks for stops, so a run that wants it is the reference for one that does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from tests.integration.conftest import WriteProgram
from tests.integration.script_debugger import Program, ScriptDebugger
from tests.recording.tap import tapped_sockets

pytestmark = pytest.mark.matrix

FEWEST_HITS = 4
"""The first hit is a stop in both ways, so a case needs more of them to say something."""


@dataclass(frozen=True)
class Case:
    """A program that hits its marked line several times, and what is evaluated there."""

    text: str
    expression: str
    name: str = "program.js"


BLOCKS = """
for (let i = 0; i < 5; i++) {
  const i2 = i * 2;
  {
    let i = 'inner' + i2;
    console.log(i); // @bp hit
  }
}
"""
CLOSURES = """
function counter(start) {
  let count = start;
  return () => {
    count += 1;
    return count; // @bp hit
  };
}
const a = counter(0), b = counter(10);
a(); b(); a(); b(); a();
"""
CLASS = """
'use strict';
class Account {
  #balance = 0;
  static #made = 7;
  owner = { name: 'Ann' };
  get doubled() { return this.#balance * 2; }
  pay(amount, ...rest) {
    this.#balance += amount;
    return this.#balance; // @bp hit
  }
  static made() { return Account.#made; }
}
const account = new Account();
for (let i = 1; i <= 5; i++) account.pay(i, 'x', i * 2);
"""
THIS = """
function show() {
  return typeof this; // @bp hit
}
show(); show.call(5); show.call('text'); show.call(null); show.call({ a: 1 }); show.apply([1, 2]);
"""
ARROWS = """
function outer(x) {
  const arrow = (y) => {
    return [this, arguments, y]; // @bp hit
  };
  return arrow(x + 1);
}
for (let i = 0; i < 5; i++) outer.call({ me: i }, i, 'more');
"""
ASYNC = """
const { setTimeout: later } = require('timers/promises');
async function step(n) {
  const before = n * 10;
  await later(1);
  const after = await before + 1;
  return after; // @bp hit
}
(async () => { for (let n = 0; n < 3; n++) await step(n); await Promise.all([step(7), step(8)]); })();
"""
GENERATOR = """
function* numbers(limit) {
  for (let n = 0; n < limit; n++) {
    const got = yield n;
    void got; // @bp hit
  }
}
const it = numbers(5);
it.next(); for (const word of ['a', 'b', 'c', 'd', 'e']) it.next(word);
"""
ASYNC_GENERATOR = """
async function* letters() {
  for (const letter of 'abcde') {
    await null;
    yield letter; // @bp hit
  }
}
(async () => { for await (const letter of letters()) void letter; })();
"""
MODULE = """
import path from 'node:path';
export const exported = 'outside';
export function parts(file) {
  const base = path.basename(file);
  return base; // @bp hit
}
for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) parts('/x/' + name);
await null;
parts('/y/last');
"""
DEAD_ZONE = """
for (let i = 0; i < 5; i++) {
  void i; // @bp hit
  let later = i;
  const alsoLater = () => later + i;
  alsoLater();
}
"""
RECURSION = """
function depth(n) {
  if (n === 0) return 0;
  const below = depth(n - 1);
  return below + 1; // @bp hit
}
depth(6);
"""
REENTRANT = """
let calls = 0;
function watched(n) {
  calls += 1;
  return n * 2; // @bp hit
}
for (let i = 1; i <= 5; i++) watched(i);
"""
GETTERS = """
let reads = 0;
const thing = {
  get value() { reads += 1; return reads; },
  get broken() { throw new TypeError('no'); },
  plain: 1,
};
for (let i = 0; i < 5; i++) {
  void thing; // @bp hit
}
"""
CATCH = """
for (let i = 0; i < 5; i++) {
  try {
    null.property;
  } catch ({ name, message }) {
    void message; // @bp hit
  }
}
"""
SWITCH = """
for (const kind of ['a', 'b', 'a', 'b', 'a']) {
  switch (kind) {
    case 'a': let found = kind + 1;
    default: let other = found2();
      void other; // @bp hit
  }
}
function found2() { return 2; }
"""
DEFAULTS = """
function scale(a, { b = a + 1, ...rest } = {}, [c = b] = []) {
  var a = a * 100, hoisted = 1;
  return a + b + c; // @bp hit
}
for (let i = 0; i < 5; i++) scale(i, { x: i }); scale(1, { b: 7 }, [3]);
"""
WITH = """
const scope = { inside: 1 };
for (let i = 0; i < 5; i++) {
  with (scope) {
    inside += i; // @bp hit
  }
}
"""
EVAL = """
function run(n) {
  eval('var made = n + 1');
  return made; // @bp hit
}
for (let i = 0; i < 5; i++) run(i);
"""
CALLBACKS = """
[5, 3, 9, 1, 7].sort((a, b) => {
  return a - b; // @bp hit
});
"""
TIMERS = """
let ticks = 0;
const timer = setInterval(() => {
  ticks += 1; // @bp hit
  if (ticks === 5) clearInterval(timer);
}, 1);
"""
WORKERS = """
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', () => {
    for (let i = 0; i < 5; i++) watched(i);
  });
} else {
  parentPort.postMessage('ready');
}
function watched(i) {
  return i; // @bp hit
}
"""
VALUES = """
const values = [
  undefined, null, NaN, -0, Infinity, 10n ** 30n, Symbol('s'), Symbol.iterator, () => 1, class A {}, /x+/giu,
  new Date(0), new Date(NaN), new Map([[{}, 1]]), new Set(['a', [1]]), new Uint8Array([1, 2]), new Error('bad'),
  new (class Named { x = 1; })(), Object.create(null), [1, , 3], Promise.resolve(5), new Proxy({}, {}), new WeakMap(),
  Object('boxed'), globalThis, process.env.PATH === undefined, 'a\\ud800b', '\\udfff', '\\0\\u2028', 'ž😀',
  { a: { b: { c: [] } } },
];
values.push((() => { const loop = {}; loop.self = loop; return loop; })());
for (const value of values) {
  void value; // @bp hit
}
"""
LONG = """
for (const length of [10, 30_000, 0, 70_000, 1]) {
  void length; // @bp hit
}
"""
PATCHED = """
JSON.stringify = Object.keys = Array.prototype.push = String.prototype.slice = () => { throw new Error('patched'); };
Object.prototype.toJSON = () => 'patched';
Function.prototype.call = Function.prototype.apply = null;
for (let i = 0; i < 5; i++) {
  void i; // @bp hit
}
"""
FROZEN = """
Object.freeze(globalThis.Object); Object.freeze(Object.prototype); Object.freeze(Function.prototype);
for (let i = 0; i < 5; i++) {
  void i; // @bp hit
}
"""
SHADOWED = """
function run(globalThis, Object, JSON, undefined, error) {
  return error; // @bp hit
}
for (let i = 0; i < 5; i++) run(i, i, i, i, 'mine ' + i);
"""
STRICT_EVAL_SCOPE = """
var made;
for (let i = 0; i < 5; i++) {
  void made; // @bp hit
}
"""
# The file runs itself again in other global scopes, where there is no `require`.
VM = """
if (typeof require === 'function') {
  const vm = require('vm');
  const text = require('fs').readFileSync(__filename, 'utf8');
  %s
} else {
  for (let i = 0; i < 3; i++) {
    total += i; // @bp hit
  }
}
"""
IN_ONE_CONTEXT = (
    VM
    % """
  const context = vm.createContext({ total: 1 });
  for (let i = 0; i < 2; i++) vm.runInContext(text, context, __filename);
"""
)
IN_NEW_CONTEXTS = (
    VM
    % """
  for (let i = 0; i < 3; i++) vm.runInNewContext(text, { total: i * 100 }, __filename);
"""
)
IN_THREE_BY_TURNS = (
    VM
    % """
  const contexts = [vm.createContext({ total: 1, name: 'a' }), vm.createContext({ total: 5, name: 'b' })];
  Object.assign(globalThis, { total: 9, name: 'main' });
  for (let i = 0; i < 3; i++) {
    for (const context of contexts) vm.runInContext(text, context, __filename);
    vm.runInThisContext(text, __filename);
  }
"""
)
ONE_SCRIPT_AGAIN = (
    VM
    % """
  const script = new vm.Script(text, __filename);
  globalThis.total = 0;
  for (let i = 0; i < 3; i++) script.runInThisContext();
"""
)

CASES = {
    "block scopes": Case(BLOCKS, "[i, i2]"),
    "closures": Case(CLOSURES, "[start, count]"),
    "private fields": Case(CLASS, "[this.#balance, #balance in this, Account.made()]"),
    "this of a method": Case(CLASS, "this"),
    "rest parameters": Case(CLASS, "({amount, rest, args: arguments.length})"),
    "getter that is called": Case(CLASS, "this.doubled"),
    "this of a sloppy function": Case(THIS, "this"),
    "this and arguments of an arrow": Case(ARROWS, "[this, [...arguments], x, y]"),
    "arguments written": Case(ARROWS, "arguments[0]++"),
    "async function": Case(ASYNC, "[n, before, after]"),
    "generator": Case(GENERATOR, "[n, got, limit]"),
    "async generator": Case(ASYNC_GENERATOR, "letter"),
    "ES module": Case(MODULE, "[base, exported, path.sep, typeof this]", "program.mjs"),
    "import.meta": Case(MODULE, "typeof import.meta.url", "program.mjs"),
    "dead zone": Case(DEAD_ZONE, "later"),
    "dead zone with typeof": Case(DEAD_ZONE, "typeof alsoLater"),
    "recursion": Case(RECURSION, "[n, below]"),
    "expression that runs the line": Case(REENTRANT, "watched(n + 100)"),
    "expression that runs the line, counted": Case(REENTRANT, "n > 2 ? [watched(0), calls] : calls"),
    "recursive call in the expression": Case(RECURSION, "depth(2)"),
    "getters that are shown": Case(GETTERS, "thing"),
    "getter with a side effect": Case(GETTERS, "[thing.value, thing.value]"),
    "getter that throws": Case(GETTERS, "thing.broken"),
    "assignment": Case(REENTRANT, "n = n + 1000"),
    "side effects on later hits": Case(REENTRANT, "++calls"),
    "throws an error": Case(REENTRANT, "n.missing.property"),
    "throws a string": Case(REENTRANT, "(() => { throw 'text ' + n })()"),
    "throws undefined": Case(REENTRANT, "(() => { throw undefined })()"),
    "throws sometimes": Case(REENTRANT, "n % 2 ? n : nowhere"),
    "overflows the stack": Case(REENTRANT, "(function again() { return again() + 1; })()"),
    "unknown name": Case(REENTRANT, "nowhere"),
    "syntax error": Case(REENTRANT, "n +"),
    "await": Case(REENTRANT, "await n"),
    "comment at the end": Case(REENTRANT, "n // the number"),
    "comma": Case(REENTRANT, "calls, n"),
    "object literal": Case(REENTRANT, "{ n, calls }"),
    "several lines": Case(REENTRANT, "[\n  n,\n  calls,\n]"),
    "function expression": Case(REENTRANT, "function () { return n; }"),
    "directive": Case(REENTRANT, "'use strict'"),
    "new.target": Case(REENTRANT, "new.target"),
    "delete": Case(REENTRANT, "delete globalThis.nothing"),
    "catch parameters": Case(CATCH, "[name, typeof message]"),
    "switch": Case(SWITCH, "[kind, other]"),
    "parameters with defaults": Case(DEFAULTS, "[a, b, c, rest, hoisted]"),
    "with": Case(WITH, "inside"),
    "variable made by eval": Case(EVAL, "[n, made]"),
    "eval in the expression": Case(REENTRANT, "eval('n + calls')"),
    "var in an eval of the expression": Case(STRICT_EVAL_SCOPE, "eval('var made = (made || 0) + 1; made')"),
    "callback of a builtin": Case(CALLBACKS, "[a, b].sort()"),
    "timers": Case(TIMERS, "ticks"),
    "workers": Case(WORKERS, "i"),
    "values of every kind": Case(VALUES, "value"),
    "values of every kind, nested": Case(VALUES, "({ value })"),
    "long strings": Case(LONG, "'x'.repeat(length)"),
    "long strings, two bytes a character": Case(LONG, "'ž'.repeat(length)"),
    "patched built-ins": Case(PATCHED, "({ i, list: [i] })"),
    "frozen built-ins": Case(FROZEN, "({ i, list: [i] })"),
    "shadowed globals": Case(SHADOWED, "[globalThis, Object, JSON, error]"),
    "process of the main context": Case(REENTRANT, "[typeof process, typeof require, typeof module]"),
    "vm, one context": Case(IN_ONE_CONTEXT, "[i, total, typeof process]"),
    "vm, new contexts": Case(IN_NEW_CONTEXTS, "[i, total]"),
    "vm, contexts by turns": Case(IN_THREE_BY_TURNS, "[name, i, total]"),
    "vm, values of a context": Case(IN_THREE_BY_TURNS, "[globalThis === this, new Map([[name, new Set(name)]])]"),
    "vm, side effects": Case(IN_THREE_BY_TURNS, "total += 1000"),
    "vm, throws": Case(IN_THREE_BY_TURNS, "name === 'b' ? nowhere : name"),
}


def captured(debug: ScriptDebugger, program: Program, case: Case, **optional: Any) -> dict[str, Any]:
    """The whole answer, without the stacks."""
    answer = debug.run(program, case.expression, **optional).structured
    bare = [{key: part for key, part in result.items() if key != "stack"} for result in answer["results"]]
    return {**answer, "results": bare}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_both_ways_bring_the_same(debug: ScriptDebugger, write: WriteProgram, case: Case) -> None:
    program = write(case.text, case.name)
    streamed = captured(debug, program, case)
    assert len(streamed["results"]) >= FEWEST_HITS
    assert streamed == captured(debug, program, case, include_stack=True)


def stops_at_the_line(debug: ScriptDebugger, program: Program, **optional: Any) -> int:
    """How often the program stood still at a breakpoint; the pause before its first statement is none."""
    with tapped_sockets() as tap:
        assert debug.values(program, "n", **optional) == [1, 2, 3, 4, 5]
    pauses = [message["params"] for message in tap.received if message.get("method") == "Debugger.paused"]
    return sum(bool(pause["hitBreakpoints"]) for pause in pauses)


def test_streaming_stops_at_the_first_two_hits_only(debug: ScriptDebugger, write: WriteProgram) -> None:
    assert stops_at_the_line(debug, write(REENTRANT)) == 2


@pytest.mark.parametrize("asks_for_stops", [{"include_stack": True}, {"include_stack": True, "condition": "n"}])
def test_where_the_stack_is_wanted_every_hit_is_a_stop(
    debug: ScriptDebugger, write: WriteProgram, asks_for_stops: dict[str, Any]
) -> None:
    assert stops_at_the_line(debug, write(REENTRANT), **asks_for_stops) == 5


def test_script_that_runs_several_times_is_reported_once_a_hit(debug: ScriptDebugger, write: WriteProgram) -> None:
    case = Case(ONE_SCRIPT_AGAIN, "[i, total]")
    program = write(case.text)
    assert captured(debug, program, case) == captured(debug, program, case, include_stack=True)


FUNCTIONS_OF_ONE_SCRIPT = """
if (typeof require === 'function') {
  const vm = require('vm');
  const script = new vm.Script(require('fs').readFileSync(__filename, 'utf8'), __filename);
  const contexts = ['a', 'b'].map((name) => vm.createContext({ name }));
  for (const context of contexts) script.runInContext(context);
  for (let i = 0; i < 2; i++) for (const context of contexts) context.use(i);
} else {
  globalThis.use = (i) => {
    return i; // @bp hit
  };
}
"""


def test_functions_that_one_script_made_in_two_contexts_are_seen_each_in_its_own(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    program = write(FUNCTIONS_OF_ONE_SCRIPT)
    assert debug.values(program, "name + i", include_stack=True) == ["a0", "b0", "a1", "b1"]


def test_error_that_the_expression_makes_has_another_column_in_its_stack(
    debug: ScriptDebugger, write: WriteProgram
) -> None:
    """The texts around the expression differ; everything else of the stack is the same."""
    case = Case(REENTRANT, "new Error('made').stack")
    program = write(case.text)
    streamed, stopped = captured(debug, program, case), captured(debug, program, case, include_stack=True)
    assert streamed != stopped
    assert without_columns_of_evaluations(streamed) == without_columns_of_evaluations(stopped)


def without_columns_of_evaluations(answer: dict[str, Any]) -> list[str]:
    return [re.sub(r"<anonymous>:1:\d+", "<anonymous>", result["value"]) for result in answer["results"]]
