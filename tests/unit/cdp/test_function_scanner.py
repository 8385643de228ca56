from __future__ import annotations

import pytest

from server.cdp.function_scanner import find_definitions


def found(source: str, name: str = "f") -> list[str]:
    """The first code of each function of that name."""
    return [source[one.first_code :].split(maxsplit=1)[0] for one in find_definitions(source, name)]


@pytest.mark.parametrize(
    "source",
    [
        "function f() { BODY }",
        "async function f(a, b) { BODY }",
        "function* f() { BODY }",
        "async function * f() { BODY }",
        "function f({a, b} = {}, [c] = []) { BODY }",
        "function f(a = () => { other }, b = ')') { BODY }",
        "export default function f() { BODY }",
        "const f = function () { BODY }",
        "let f = async function* () { BODY }",
        "var f = function g() { BODY }",
        "const g = function f() { BODY }",
        "f = () => { BODY }",
        "const f = async (a) => { BODY }",
        "const f = x => BODY",
        "const f = async x => { BODY }",
        "const f = (a, b) =>\n  BODY",
        "f ??= () => { BODY }",
        "exports.f = function () { BODY }",
        "module.exports.f = () => BODY",
        "Cart.prototype.f = function () { BODY }",
        "const o = { f() { BODY } }",
        "const o = { a: 1, async f() { BODY }, b }",
        "const o = { *f() { BODY } }",
        "const o = { get f() { BODY } }",
        "const o = { f: function () { BODY } }",
        "const o = { f: async () => { BODY } }",
        "const o = { 'f': x => BODY }",
        "const o = { 'f'() { BODY } }",
        "g({ f() { BODY } })",
        "return { f() { BODY } }",
        "class C { f() { BODY } }",
        "class C { static f() { BODY } }",
        "class C { static async *f() { BODY } }",
        "class C { get f() { BODY } }",
        "class C { a = 1\n f() { BODY } }",
        "class C { a() {}; f() { BODY } }",
        "class C { f = () => { BODY } }",
        "class C { static f = function () { BODY } }",
        "class C extends mixin(A, { x: 1 }) { f() { BODY } }",
        "x = class { f() { BODY } }",
        "function f() {\n  // comment\n\n  /* more */ BODY }",
        "`${function f() { BODY }}`",
        "if (x) { function f() { BODY } }",
        "a = b / c; function f() { BODY } d = e / g",
        "if (a) /{/.test(b); function f() { BODY }",
        "x = '{'; y = \"(\"; z = `{${'}'}`; function f() { BODY }",
    ],
)
def test_definition_is_found(source: str) -> None:
    assert found(source) == ["BODY"]


@pytest.mark.parametrize(
    "source",
    [
        "function f<T, U>(a: T): U { BODY }",
        "const f: Handler<string> = (a: number): Promise<void> => { BODY }",
        "const f = (a: number): string => { BODY }",
        "const f = <T,>(a: T) => { BODY }",
        "class C { private async f(a?: string): Promise<{ x: number }> { BODY } }",
        "class C<T> implements I<T> { public f(): void { BODY } }",
        "export abstract class C { protected static f(this: C) { BODY } }",
    ],
)
def test_definition_with_types_is_found(source: str) -> None:
    assert found(source) == ["BODY"]


@pytest.mark.parametrize(
    "source",
    [
        "// function f() { no }",
        "/* function f() { no } */",
        "'function f() { no }'",
        "`function f() { no }`",
        "/function f() { no }/",
        "f(); f(() => { no })",
        "x.f(function () { no })",
        "function g() { f() }",
        "function ff() { no }",
        "o.f = f",
        "if (f) { no }",
        "{ f(a)\n}",
        "class C { g() { f(a) } }",
        "class C { #f() { no } }",
        "const { f } = x",
        "switch (f) { case 1: { g() } }",
        "f = 1; g = () => { no }",
        "for (const f of g) { no }",
        "class f {}",
    ],
)
def test_what_is_no_definition_is_not_found(source: str) -> None:
    assert found(source) == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("class Cart { total() { BODY } } class Other { total() { no } }", "Cart.total"),
        ("const Cart = class { total() { BODY } }", "Cart.total"),
        ("exports.Cart = class { total() { BODY } }", "Cart.total"),
        ("Cart.prototype.total = function () { BODY }", "Cart.prototype.total"),
        ("class Cart { total() { BODY } }", "Cart.prototype.total"),
        ("const api = { a: 1, total() { BODY } }, other = { total() { no } }", "api.total"),
        ("const api = { inner: { total() { BODY } } }", "inner.total"),
        ("module.exports = { total() { BODY } }", "exports.total"),
        ("module.exports = { total: () => BODY }", "module.exports.total"),
        ("class Cart { #total() { BODY } total() { no } }", "#total"),
        ("class Cart { #total() { BODY } }", "Cart.#total"),
        ("class Cart { handler = () => { BODY } }", "Cart.handler"),
        ("class Cart { constructor() { BODY } total() { no } }", "Cart"),
        ("class Cart { constructor() { BODY } }", "Cart.constructor"),
        ("class Cart { delete() { BODY } }", "Cart.delete"),
        ("export default function () { BODY }", "default"),
        ("function constructor() { BODY }", "constructor"),
    ],
)
def test_qualified_name_chooses_its_owner(source: str, name: str) -> None:
    assert found(source, name) == ["BODY"]


def test_all_definitions_of_a_name_are_found_in_order() -> None:
    source = "function f() { ONE } class C { f() { TWO } get f() { THREE } } const o = { f: () => FOUR }"
    assert found(source) == ["ONE", "TWO", "THREE", "FOUR"]


def test_body_begins_behind_its_brace_and_ends_at_it() -> None:
    source = "function f(a = {}) {\n  return 1;\n}"
    (one,) = find_definitions(source, "f")
    assert one.end is not None
    assert source[one.body : one.end] == "\n  return 1;\n"


def test_body_of_an_empty_function_has_its_closing_brace_as_first_code() -> None:
    assert found("function f() { }") == ["}"]


@pytest.mark.parametrize(
    "source", ["function f(", "class", "f = (", "f = async", "class C { f(", "}}}) function f() {", "=>"]
)
def test_text_that_is_cut_off_does_no_harm(source: str) -> None:
    assert all(one.name == "f" for one in find_definitions(source, "f"))
