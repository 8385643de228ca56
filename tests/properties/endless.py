"""Programs that never end: one session serves all examples of a property."""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

from server.debug.model import SourceLine
from server.debug.session_model import StateReport, Stop
from server.debug.session_requests import ListBreakpoints, RemoveBreakpoint, SetWatches
from server.debug.value import Json, NoJson, Value
from tests.contract.harness import Debugger, Followed, stop_of

# The same examples each time. All of them share one program, so the time that one of them takes says nothing.
holds = settings(max_examples=100, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How often each property is tried."""


class Endless:
    """A session whose program comes by its mark `turn` again and again."""

    def __init__(self, debugger: Debugger, followed: Followed) -> None:
        self.debugger = debugger
        self.followed = followed

    def __repr__(self) -> str:
        return self.followed.session.id

    def begin_turn(self) -> Followed:
        """Take away what the example before has left, and run to the beginning of the next turn."""
        for each in self.followed.ask(ListBreakpoints()):
            self.followed.ask(RemoveBreakpoint(each.id))
        self.followed.ask(SetWatches(()))
        report = self.run_to("turn")
        assert self.followed.marks(report, "turn")
        return self.followed

    def run_to(self, mark: str) -> StateReport:
        program = self.followed.program
        return self.followed.go(to=SourceLine(str(program.path), program.line(mark)))

    def stops_of_a_turn(self) -> list[Stop]:
        """All stops up to the beginning of the next turn, without that one."""
        stops = [stop_of(self.run_to("turn"))]
        while stops[-1].frames[0].position.line != self.followed.program.line("turn"):
            stops.append(stop_of(self.run_to("turn")))
        return stops[:-1]


def plain(value: Value) -> Json:
    """What a value is worth; the numbers that JSON has no form for as Python has them."""
    if not isinstance(value.json, NoJson):
        return value.json
    assert value.type == "number", value
    assert value.preview is not None
    return float(value.preview)


ROWS: Final = ((2, 3), (1, 10), (4, 5), (0, 7), (6, 9))
"""The count and the price of each row of `SCALES`."""

SCALES: Final = """\
const rows = [[2, 3], [1, 10], [4, 5], [0, 7], [6, 9]].map(([count, price]) => ({ count, price }));

function weigh(row, index) {
  const mass = row.count * row.price; // @bp mass
  const heavy = mass > 15; // @bp heavy
  return heavy ? mass : 0; // @bp weighed
}

function pass(rows) {
  let total = 0; // @bp total
  for (let index = 0; index < rows.length; index++) { // @bp for
    const row = rows[index]; // @bp row
    total += weigh(row, index); // @bp add
  }
  return total; // @bp passed
}

let turn = 0;
let sum = 0;
while (true) { // @bp while
  turn = (turn + 1) % 1000; // @bp turn
  sum = pass(rows); // @bp call
}
"""
"""Weighs the rows of a table in each turn."""

STATIONS: Final = ("one", "two", "three", "four", "five")
"""The marks of `LINE`, in the order of a turn."""

LINE: Final = """\
let turn = 0;
let stations = [];

function travel() {
  stations = []; // @bp one
  stations.push("one"); // @bp two

  // nothing happens here
  stations.push("two"); // @bp three
  stations.push("three"); // @bp four
  return stations; // @bp five
}

for (;;) {
  turn = turn + 1; // @bp turn
  travel();
}
"""
"""Passes five lines once in each turn."""
