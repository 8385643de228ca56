"""A second backend of sessions: small Python programs, debugged in this process.

It proves that the seam (`server/debug/backend.py`) has nothing of one runtime's protocol in it.
"""

from __future__ import annotations

import ast
import ctypes
import difflib
import platform
import queue
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.session_model import (
    AttachSpec,
    Binding,
    Bound,
    BreakpointSpec,
    CallStack,
    DebuggeeEvent,
    Evaluation,
    Frame,
    FunctionSearch,
    LaunchSpec,
    PauseOnExceptions,
    Position,
    ProgramEnded,
    ProgramInfo,
    ScriptInfo,
    StepKind,
    Stopped,
    Thrown,
)
from server.debug.value import Page, Value, VariablePage
from server.errors import (
    ConnectionFailedError,
    EvaluationError,
    InvalidArgumentsError,
    ProgramGoneError,
    TargetLaunchError,
)
from tests.contract.python_program import INJECTED, Halted, KilledError, Loaded, Order, PythonProgram, Told, Traps
from tests.contract.python_values import ValueTable, error_value, may_change_something

_NOT_LOADED = "the file is not loaded yet"


class PythonBackend:
    """Implements `server.debug.backend.SessionBackend`."""

    def __init__(self) -> None:
        self.running: dict[int, PythonProgram] = {}
        """Programs that nobody debugs, by the number under which they can be attached to."""

    def launch(self, spec: LaunchSpec, inbox: Inbox) -> PythonDebuggee:
        try:
            program = PythonProgram(Path(spec.argv[1]), inbox.put)
        except (OSError, SyntaxError) as error:
            raise TargetLaunchError(f"The program could not be started: {error}") from error
        return PythonDebuggee(program, inbox, is_attached=False)

    def attach(self, spec: AttachSpec, inbox: Inbox) -> PythonDebuggee:
        program = self.running.get(spec.port or 0)
        if program is None:
            raise ConnectionFailedError(f"No program listens at port {spec.port}.")
        return PythonDebuggee(program, inbox, is_attached=True)


class PythonDebuggee:
    """Implements `server.debug.backend.Debuggee`."""

    def __init__(self, program: PythonProgram, inbox: Inbox, *, is_attached: bool) -> None:
        self._program = program
        self._inbox = inbox
        self._is_attached = is_attached
        self._frames: tuple[FrameType, ...] = ()
        self._values = ValueTable()
        self._pending: dict[str, BreakpointSpec] = {}
        self._is_over = False

    # --- life ---------------------------------------------------------------------------------------------------

    def connect(self) -> None:
        self._inbox.assert_owned()
        if self._is_attached:
            self._program.orders = queue.SimpleQueue()
            self._program.deliver = self._inbox.put
        else:
            self._program.loaded[str(self._program.path)] = self._program.source

    def begin(self, *, stop_on_entry: bool) -> None:
        self._program.start(stop_on_entry=stop_on_entry)

    def handle(self, message: object) -> Iterable[DebuggeeEvent]:
        self._inbox.assert_owned()
        match message:
            case Told(program, ProgramEnded() as event) if program is self._program:
                self._is_over = True
                never_loaded = Binding(message="the file was never loaded")
                return [*(Bound(breakpoint_id, never_loaded) for breakpoint_id in self._pending), event]
            case Told(program, event) if program is self._program:
                return [event]
            case Halted(program) if program is self._program:
                return [self._stopped(message)]
            case Loaded(program, file) if program is self._program:
                bound = list(self._bind_pending(file))
                self._program.orders.put(Order())
                return bound
            case _:
                return []

    def info(self) -> ProgramInfo:
        runtime = f"Python {platform.python_version()}"
        return ProgramInfo(f"python {self._program.path}", runtime, None, self._is_attached)

    def detach(self) -> None:
        self._program.traps = Traps()
        self._program.deliver = None
        self._program.orders.put(Order())
        self._frames = ()

    def end(self) -> None:
        if self._is_attached:
            self.detach()
        else:
            self._program.end()
        self._is_over = True

    # --- running --------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        self._go_on(Order())

    def run_to(self, place: SourceLine) -> Binding:
        binding = self._bind(place)
        if binding.position is not None:
            self._trap(once=(binding.position.file, binding.position.line))
            self._go_on(Order())
        return binding

    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        self._go_on(Order(kind))

    def pause(self) -> None:
        self._trap(pause=True)

    def set_pause_on_exceptions(self, mode: PauseOnExceptions) -> None:
        self._trap(exceptions=mode)

    # --- breakpoints ----------------------------------------------------------------------------------------------

    def set_breakpoint(self, breakpoint_id: str, spec: BreakpointSpec) -> Binding:
        self._require_alive()
        if spec.condition is not None:
            _check_expression(spec.condition)
        binding = self._bind(spec.place)
        if binding.position is None:
            self._pending[breakpoint_id] = spec
        else:
            place = (binding.position.file, binding.position.line, spec)
            self._trap(breakpoints={**self._program.traps.breakpoints, breakpoint_id: place})
        return binding

    def remove_breakpoint(self, breakpoint_id: str) -> None:
        self._pending.pop(breakpoint_id, None)
        known = self._program.traps.breakpoints
        self._trap(breakpoints={key: place for key, place in known.items() if key != breakpoint_id})

    def hit_counts(self) -> Mapping[str, int]:
        return dict(self._program.hits)

    def find_function(self, name: str, file: str | None) -> FunctionSearch:
        sources = {path: ast.parse(text) for path, text in self._program.loaded.items() if file in (None, path)}
        found = tuple(SourceLine(path, line) for path, tree in sources.items() for line in _first_lines(tree, name))
        if found:
            return FunctionSearch(found)
        names = {node.name for tree in sources.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        return FunctionSearch(near_names=tuple(difflib.get_close_matches(name.rpartition(".")[2], sorted(names))))

    # --- looking --------------------------------------------------------------------------------------------------

    def call_stack(self, *, include_async: bool) -> CallStack:
        return CallStack(_to_frames(self._frames))

    def variables(self, frame: int, scope: str | None, page: Page) -> VariablePage:
        scopes = _scopes(self._frames[frame])
        if scope is not None and scope not in scopes:
            raise InvalidArgumentsError(f"There is no scope {scope!r}; there are: {', '.join(scopes)}.")
        seen: dict[str, tuple[str, object, str | None]] = {}
        for found in scopes if scope is None else [scope]:
            for name, value in scopes[found].items():
                seen.setdefault(name, (name, value, found))
        return self._values.page(seen.values(), page)

    def expand(self, handle: str, page: Page) -> VariablePage:
        return self._values.expand(handle, page)

    def evaluate(self, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        self._require_alive()
        return tuple(self._evaluate(self._frames[frame], evaluation) for evaluation in evaluations)

    def set_variable(self, frame: int, name: str, expression: str) -> Value:
        found = self._frames[frame]
        scopes = _scopes(found)
        holder = next((scope for scope in scopes if name in scopes[scope]), None)
        if holder is None:
            raise InvalidArgumentsError(f"There is no variable {name!r} in this frame.")
        try:
            value = eval(expression, found.f_globals, found.f_locals)
        except Exception as error:
            raise EvaluationError(f"{type(error).__name__}: {error}") from error
        if holder == "module":
            found.f_globals[name] = value
        else:
            found.f_locals[name] = value
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(found), ctypes.c_int(0))
        return self._values.show(value)

    # --- sources ----------------------------------------------------------------------------------------------------

    def scripts(self) -> tuple[ScriptInfo, ...]:
        return tuple(
            ScriptInfo(id=file, url=Path(file).as_uri(), file=file, lines=text.count("\n") + 1, is_own=True)
            for file, text in self._program.loaded.items()
        )

    def source(self, script_id: str) -> str:
        return self._program.loaded[script_id]

    # --- inside -----------------------------------------------------------------------------------------------------

    def _go_on(self, order: Order) -> None:
        if self._frames:
            self._frames = ()
            self._values.forget()
            self._program.orders.put(order)

    def _trap(self, **changes: Any) -> None:
        self._program.traps = replace(self._program.traps, **changes)

    def _require_alive(self) -> None:
        if self._is_over:
            raise ProgramGoneError("The program has ended.")

    def _stopped(self, halted: Halted) -> Stopped:
        self._frames = halted.frames
        self._trap(once=None, pause=False)
        error = halted.exception
        exception = None
        if error is not None:
            exception = Thrown(type(error).__name__, str(error), halted.is_caught, self._values.show(error))
        return Stopped(halted.reason, _to_frames(halted.frames), halted.breakpoint_ids, exception)

    def _bind(self, place: SourceLine) -> Binding:
        text = self._program.loaded.get(place.file)
        if text is None:
            return Binding(message=_NOT_LOADED)
        lines = sorted(_lines_with_code(compile(text, place.file, "exec")))
        found = next((line for line in lines if line >= place.line), None)
        if found is None:
            return Binding(message="no code is there or after it", nearest_lines=tuple(lines[-3:]))
        message = None if found == place.line else f"Line {place.line} has no code; the next line that has is {found}."
        return Binding(Position(place.file, found, 1), message)

    def _bind_pending(self, file: str) -> Iterator[Bound]:
        for breakpoint_id, spec in list(self._pending.items()):
            if spec.place.file == file:
                del self._pending[breakpoint_id]
                yield Bound(breakpoint_id, self.set_breakpoint(breakpoint_id, spec))

    def _evaluate(self, frame: FrameType, evaluation: Evaluation) -> Value:
        try:
            if not evaluation.allow_side_effects and may_change_something(evaluation.expression):
                return Value("error", subtype="EvalError", preview="EvalError: this may have side effects")
            value = _within(Deadline.after(evaluation.timeout_s), evaluation.expression, frame)
        except (Exception, KilledError) as error:
            return error_value(error)
        return self._values.show_whole(value) if evaluation.by_value else self._values.show(value)


def _within(deadline: Deadline, expression: str, frame: FrameType) -> object:
    """The value of an expression, whose time is looked at before each line of what it calls."""

    def trace(_frame: FrameType, _event: str, _argument: object) -> Any:
        if deadline.passed:
            raise TimeoutError("the expression took too long")
        return trace

    traced_before = sys.gettrace()
    sys.settrace(trace)
    try:
        return eval(expression, frame.f_globals, frame.f_locals)
    finally:
        sys.settrace(traced_before)


def _check_expression(text: str) -> None:
    try:
        compile(text, "<condition>", "eval")
    except SyntaxError as error:
        raise InvalidArgumentsError(f"{text!r} is no expression: {error}") from error


def _scopes(frame: FrameType) -> dict[str, dict[str, object]]:
    """The variables of a frame, from the innermost scope to the outermost."""
    module = {name: value for name, value in frame.f_globals.items() if not _is_made_up(name)}
    if frame.f_code.co_name == "<module>":
        return {"local": {}, "module": module}
    free = set(frame.f_code.co_freevars)
    local = {name: value for name, value in frame.f_locals.items() if name not in free}
    return {"local": local, "closure": {name: frame.f_locals[name] for name in free}, "module": module}


def _is_made_up(name: str) -> bool:
    return name.startswith("__") or name in INJECTED


def _to_frames(frames: Iterable[FrameType]) -> tuple[Frame, ...]:
    return tuple(
        Frame(str(index), frame.f_code.co_name, Position(frame.f_code.co_filename, frame.f_lineno, 1))
        for index, frame in enumerate(frames)
    )


def _lines_with_code(code: CodeType) -> Iterator[int]:
    yield from (line for _, _, line in code.co_lines() if line)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines_with_code(constant)


def _first_lines(node: ast.AST, name: str) -> Iterator[int]:
    """Where the bodies of functions begin that have a name: `total`, or `Cart.total`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and child.name == name:
            yield child.body[0].lineno
        if isinstance(child, ast.ClassDef) and name.startswith(f"{child.name}."):
            yield from _first_lines(child, name.removeprefix(f"{child.name}."))
        yield from _first_lines(child, name)
