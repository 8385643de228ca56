"""A program that stands still, and what else sessions tell of, built by hand."""

from __future__ import annotations

from server.debug.model import SourceLine
from server.debug.session_model import (
    Binding,
    Breakpoint,
    BreakpointSpec,
    Frame,
    OutputEntry,
    OutputPage,
    Position,
    ProgramInfo,
    ProgramState,
    SourceText,
    StateReport,
    Stop,
    StopReason,
    WatchReading,
)
from server.debug.value import Value, Variable, VariablePage

FILE = "/app/src/cart.js"
TOTAL = Frame("f0", "total", Position(FILE, 12, 5))
PACKAGE = Frame("f1", "each", Position("/app/node_modules/each/index.js", 7, 9), is_own=False)
MAIN = Frame("f2", "main", Position(FILE, 30, 17))
TOP_LEVEL = Frame("f3", "", Position("/app/index.js", 3, 1))
INTERNAL = Frame(
    "f4", "Module._compile", Position("node:internal/modules/cjs/loader", 1554, 14), is_own=False, is_internal=True
)
SOURCE = (
    SourceText(9, ""),
    SourceText(10, "  for (const item of items) {"),
    SourceText(11, "    const price = item.price;"),
    SourceText(12, "    sum += price * item.count;", is_current=True),
    SourceText(13, "  }"),
)
ITEM = Value("object", preview="{qty: 2, price: 3}", handle="v7", size=2)
SIX = Value("number", json=6)
LOCALS = VariablePage((Variable("item", ITEM, "block"), Variable("sum", SIX, "local")), 0, 2)
WATCHES = (WatchReading("sum", SIX, Value("number", json=0)), WatchReading("items.length", Value("number", json=2)))
STOP = Stop(
    StopReason.BREAKPOINT,
    (TOTAL, PACKAGE, MAIN, TOP_LEVEL, INTERNAL),
    SOURCE,
    LOCALS,
    WATCHES,
    breakpoint_ids=("bp1",),
)
OUTPUT = OutputPage(
    (
        OutputEntry(0, "stdout", "adding up\n"),
        OutputEntry(10, "stderr", "careful\n"),
        OutputEntry(18, "stdout", "item 1\n"),
        OutputEntry(25, "log", "sum is 6\n"),
    ),
    34,
)
PAUSED = StateReport("s1", ProgramState.PAUSED, STOP, OUTPUT, directory="/app")
RUNNING = StateReport("s1", ProgramState.RUNNING)
PROGRAM = ProgramInfo("node src/cart.js", "Node.js v24.1.0", 4711, is_attached=False)
BOUND = Breakpoint(
    "bp1",
    BreakpointSpec(SourceLine(FILE, 11), condition="item.count > 1", hit_condition=">=2"),
    Binding(Position(FILE, 12, 5), "There is no code on line 11."),
    hits=3,
    source=SOURCE[2:4],
)
PENDING = Breakpoint(
    "bp2",
    BreakpointSpec(SourceLine("/app/src/later.js", 5), log_message="at {i}"),
    Binding(None, "The file is not loaded yet.", (4, 7)),
    enabled=False,
    function="later",
)
