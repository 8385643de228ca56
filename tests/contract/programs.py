"""Small programs, each in both languages: the same functions, the same marks, the same values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Language = Literal["python", "node"]


@dataclass(frozen=True)
class InBoth:
    """One program, twice."""

    python: str
    javascript: str

    def write(self, folder: Path, language: Language, name: str = "program") -> MarkedFile:
        path = folder / f"{name}{'.py' if language == 'python' else '.js'}"
        path.write_text(self.python if language == "python" else self.javascript, "utf-8")
        return MarkedFile(path)


@dataclass(frozen=True)
class MarkedFile:
    """A file with marked lines."""

    path: Path

    def line(self, mark: str) -> int:
        """The 1-based line that ends in `@bp mark`."""
        lines = self.path.read_text("utf-8").splitlines()
        found = [number for number, line in enumerate(lines, 1) if line.endswith(f"@bp {mark}")]
        assert len(found) == 1, f"{self.path} has the mark {mark!r} {len(found)} times"
        return found[0]


CART = InBoth(
    python="""\
def price(item):
    total = item["qty"] * item["price"]  # @bp total
    return total  # @bp return


def checkout(items):
    paid = 0  # @bp paid
    for item in items:  # @bp for
        cost = price(item)  # @bp call
        paid = paid + cost  # @bp add
    return paid  # @bp done


items = [{"qty": 2, "price": 3}, {"qty": 1, "price": 10}, {"qty": 4, "price": 5}]
print("begin")  # @bp begin
result = checkout(items)  # @bp checkout
print("paid", result)  # @bp end
""",
    javascript="""\
function price(item) {
  const total = item.qty * item.price; // @bp total
  return total; // @bp return
}

function checkout(items) {
  let paid = 0; // @bp paid
  for (const item of items) { // @bp for
    const cost = price(item); // @bp call
    paid = paid + cost; // @bp add
  }
  return paid; // @bp done
}

const items = [{ qty: 2, price: 3 }, { qty: 1, price: 10 }, { qty: 4, price: 5 }];
console.log("begin"); // @bp begin
const result = checkout(items); // @bp checkout
console.log("paid", result); // @bp end
""",
)

SPIN = InBoth(
    python="""\
count = 0  # @bp begin


def grow():
    global count
    count = count + 1


while count >= 0:
    grow()  # @bp spin
""",
    javascript="""\
let count = 0; // @bp begin

function grow() {
  count = count + 1;
}

while (count >= 0) {
  grow(); // @bp spin
}
""",
)
"""Calls a function as it goes round: in a loop without calls Node 22 hears nothing of its debugger. The function shares
the variable: of one that is the loop's own, V8 has no value at a pause in code that it has optimised."""

THROWS = InBoth(
    python="""\
def risky(n):
    if n < 0:
        raise ValueError("negative")  # @bp throw
    return n


def careful(n):
    try:
        return risky(n)
    except ValueError:
        return 0


print(careful(-1))
risky(-2)
""",
    javascript="""\
function risky(n) {
  if (n < 0) {
    throw new RangeError("negative"); // @bp throw
  }
  return n;
}

function careful(n) {
  try {
    return risky(n);
  } catch {
    return 0;
  }
}

console.log(careful(-1));
risky(-2);
""",
)

TALKS = InBoth(
    python="""\
import sys

print("one")
print("oops", file=sys.stderr)
print("two")
x = 1  # @bp quiet
print("three")
sys.exit(3)
""",
    javascript="""\
console.log("one");
console.error("oops");
console.log("two");
const x = 1; // @bp quiet
console.log("three");
process.exitCode = 3;
""",
)

LOADS = InBoth(
    python="""\
helper = load("helper.py")  # @bp load
print(helper["double"](21))
""",
    javascript="""\
const helper = require("./helper.js"); // @bp load
console.log(helper.double(21));
""",
)

HELPER = InBoth(
    python="""\
def double(n):
    twice = n * 2  # @bp twice
    return twice
""",
    javascript="""\
function double(n) {
  const twice = n * 2; // @bp twice
  return twice;
}
module.exports = { double };
""",
)

NAMESAKES = InBoth(
    python="""\
class Cat:
    def speak(self):
        word = "meow"  # @bp cat
        return word


class Dog:
    def speak(self):
        word = "woof"  # @bp dog
        return word


print(Cat().speak(), Dog().speak())
""",
    javascript="""\
class Cat {
  speak() {
    const word = "meow"; // @bp cat
    return word;
  }
}

class Dog {
  speak() {
    const word = "woof"; // @bp dog
    return word;
  }
}

console.log(new Cat().speak(), new Dog().speak());
""",
)

VALUES = InBoth(
    python="""\
def make():
    secret = 7

    def look(number, text):
        flag = True
        nothing = None
        long = list(range(250))
        letters = "abcdefghij" * 1000
        nested = {"inner": {"deep": 1}}
        return secret + number  # @bp look

    return look


make()(1, "hi")
""",
    javascript="""\
function make() {
  const secret = 7;

  function look(number, text) {
    const flag = true;
    const nothing = null;
    const long = Array.from({ length: 250 }, (_, index) => index);
    const letters = "abcdefghij".repeat(1000);
    const nested = { inner: { deep: 1 } };
    return secret + number; // @bp look
  }

  return look;
}

make()(1, "hi");
""",
)

STATEMENT = InBoth(
    python="""\
before = 1
breakpoint()  # @bp statement
after = 2
""",
    javascript="""\
const before = 1;
debugger; // @bp statement
const after = 2;
""",
)

PATIENT = InBoth(
    python="""\
import os
import time

here = os.path.dirname(__file__)
turns = 0
open(os.path.join(here, "begun"), "w").close()
while not os.path.exists(os.path.join(here, "go")):
    turns = turns + 1  # @bp turn
    time.sleep(0.01)
open(os.path.join(here, "done"), "w").close()
""",
    javascript="""\
const fs = require("fs");
const path = require("path");

let turns = 0;
fs.writeFileSync(path.join(__dirname, "begun"), "");
const timer = setInterval(() => {
  turns = turns + 1; // @bp turn
  if (fs.existsSync(path.join(__dirname, "go"))) {
    clearInterval(timer);
    fs.writeFileSync(path.join(__dirname, "done"), "");
  }
}, 10);
""",
)
"""Writes a file `begun` beside itself, waits for a file `go`, writes a file `done`, and ends."""
