"""A small Python program that runs on a thread of this process, under `sys.settrace`.

| thread | owns | may do |
|---|---|---|
| `program:<name>` | the program's frames, steps, hit counts | put messages in the inbox; wait for orders |
| the session's owner | `Traps`, replaced as a whole | read the frames of a program that is stopped |
"""

from __future__ import annotations

import ast
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from server.debug.hit_condition import HitCondition
from server.debug.session_model import (
    BreakpointSpec,
    DebuggeeEvent,
    Logged,
    PauseOnExceptions,
    ProgramEnded,
    StepKind,
    StopReason,
    Wrote,
)
from server.process.process_events import ExitStatus

INJECTED = ("print", "load", "breakpoint")


@dataclass(frozen=True)
class Told:
    """Something happened in a program."""

    program: PythonProgram
    event: DebuggeeEvent


@dataclass(frozen=True)
class Halted:
    """A program stands still; its frames, innermost first, may be looked at until it is told to go on."""

    program: PythonProgram
    reason: StopReason
    frames: tuple[FrameType, ...]
    breakpoint_ids: tuple[str, ...] = ()
    exception: BaseException | None = None
    is_caught: bool | None = None


@dataclass(frozen=True)
class Loaded:
    """A file is about to run for the first time."""

    program: PythonProgram
    file: str


@dataclass(frozen=True)
class Traps:
    """Where and when a program has to stop; replaced as a whole, so that no lock is needed."""

    breakpoints: Mapping[str, tuple[str, int, BreakpointSpec]] = field(default_factory=dict)
    once: tuple[str, int] | None = None
    exceptions: PauseOnExceptions = PauseOnExceptions.NONE
    pause: bool = False


@dataclass(frozen=True)
class Order:
    """How a stopped program goes on."""

    step: StepKind | None = None


class KilledError(BaseException):
    """Ends a program that nobody wants any more."""


class PythonProgram:
    """The thread that runs it, and what it looks at before each line."""

    def __init__(self, path: Path, deliver: Callable[[object], None] | None) -> None:
        self.path = path
        self.source = path.read_text("utf-8")
        self.code = compile(self.source, str(path), "exec")
        self.traps = Traps()
        self.orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self.hits: dict[str, int] = {}
        self.loaded: dict[str, str] = {}
        self.is_killed = False
        self.deliver = deliver
        """Where news go; None while nobody debugs it."""
        self._step: tuple[StepKind, int] | None = None
        self._stop_at_entry = False
        self.thread = threading.Thread(target=self._run, name=f"program:{path.name}", daemon=True)

    def start(self, *, stop_on_entry: bool) -> None:
        self._stop_at_entry = stop_on_entry
        self.thread.start()

    def end(self) -> None:
        self.is_killed = True
        self.orders.put(Order())
        if self.thread.is_alive():
            self.thread.join(10)

    # --- the program's thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        names: dict[str, Any] = {"__name__": "__main__", "__file__": str(self.path)}
        names |= {"print": self._print, "load": self._load, "breakpoint": self._break}
        sys.settrace(self._trace)
        try:
            exec(self.code, names)
            code = 0
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else 0
        except KilledError:
            code = 137
        except BaseException:
            self._tell(Wrote("stderr", traceback.format_exc()))
            code = 1
        finally:
            sys.settrace(None)
        self._tell(ProgramEnded(ExitStatus(code=code, signal=None)))

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not self._is_own(frame.f_code):
            return None
        if event == "call" and frame.f_code.co_name == "<module>":
            self._note_loaded(frame.f_code.co_filename)
        elif event == "line":
            self._before_line(frame)
        elif event == "exception":
            self._at_exception(frame, argument[1], argument[2])
        return self._trace

    def _is_own(self, code: CodeType) -> bool:
        return Path(code.co_filename).parent == self.path.parent

    def _note_loaded(self, file: str) -> None:
        if file not in self.loaded:
            self.loaded[file] = Path(file).read_text("utf-8")
            if self.deliver is not None:
                self.deliver(Loaded(self, file))
                self.orders.get()  # breakpoints bind before the first line runs

    def _before_line(self, frame: FrameType) -> None:
        if self.is_killed:
            raise KilledError
        if self.deliver is None:
            return
        if self._stop_at_entry:
            self._stop_at_entry = False
            self._halt(frame, StopReason.ENTRY)
            return
        hit = self._hit_breakpoints(frame)
        if hit or self.traps.once == (frame.f_code.co_filename, frame.f_lineno):
            self._halt(frame, StopReason.BREAKPOINT, breakpoint_ids=hit)
        elif self.traps.pause:
            self._halt(frame, StopReason.PAUSE)
        elif self._step is not None and _is_step_done(*self._step, _depth(frame)):
            self._halt(frame, StopReason.STEP)

    def _hit_breakpoints(self, frame: FrameType) -> tuple[str, ...]:
        here = (frame.f_code.co_filename, frame.f_lineno)
        return tuple(
            breakpoint_id
            for breakpoint_id, (file, line, spec) in self.traps.breakpoints.items()
            if (file, line) == here and self._counts(breakpoint_id, spec, frame)
        )

    def _counts(self, breakpoint_id: str, spec: BreakpointSpec, frame: FrameType) -> bool:
        if spec.condition is not None and not _value_or_none(spec.condition, frame):
            return False
        self.hits[breakpoint_id] = self.hits.get(breakpoint_id, 0) + 1
        if spec.hit_condition and not HitCondition.parse(spec.hit_condition).admits(self.hits[breakpoint_id]):
            return False
        if spec.log_message is None:
            return True
        self._tell(Logged(breakpoint_id, _filled_in(spec.log_message, frame)))
        return False

    def _at_exception(self, frame: FrameType, error: BaseException, trace: Any) -> None:
        is_raised_here = trace.tb_next is None
        if self.deliver is None or not is_raised_here or isinstance(error, KilledError | SystemExit):
            return
        is_caught = any(self._is_guarded(caller) for caller in _frames(frame))
        wanted = self.traps.exceptions
        if wanted is PauseOnExceptions.ALL or (wanted is PauseOnExceptions.UNCAUGHT and not is_caught):
            self._halt(frame, StopReason.EXCEPTION, exception=error, is_caught=is_caught)

    def _is_guarded(self, frame: FrameType) -> bool:
        tree = ast.parse(self.loaded.get(frame.f_code.co_filename, ""))
        return any(
            node.body[0].lineno <= frame.f_lineno <= (node.body[-1].end_lineno or 0)
            for node in ast.walk(tree)
            if isinstance(node, ast.Try) and node.handlers
        )

    def _halt(self, frame: FrameType, reason: StopReason, **more: Any) -> None:
        frames = tuple(caller for caller in _frames(frame) if self._is_own(caller.f_code))
        self._put(Halted(self, reason, frames, **more))
        order = self.orders.get()
        self._step = None if order.step is None else (order.step, _depth(frame))
        if self.is_killed:
            raise KilledError

    # --- what the program finds among its globals ---------------------------------------------------------------

    def _print(self, *values: object, file: Any = None) -> None:
        stream = "stderr" if file is sys.stderr else "stdout"
        self._tell(Wrote(stream, " ".join(map(str, values)) + "\n"))

    def _load(self, name: str) -> dict[str, Any]:
        path = self.path.parent / name
        names: dict[str, Any] = {"__name__": path.stem, "print": self._print}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
        return names

    def _break(self) -> None:
        if self.deliver is not None:
            self._halt(sys._getframe(1), StopReason.DEBUGGER_STATEMENT)

    def _tell(self, event: DebuggeeEvent) -> None:
        self._put(Told(self, event))

    def _put(self, message: object) -> None:
        if self.deliver is not None:
            self.deliver(message)


def _frames(frame: FrameType | None) -> list[FrameType]:
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


def _depth(frame: FrameType) -> int:
    return len(_frames(frame))


def _is_step_done(kind: StepKind, began_at: int, depth: int) -> bool:
    match kind:
        case StepKind.INTO:
            return True
        case StepKind.OVER:
            return depth <= began_at
        case StepKind.OUT:
            return depth < began_at


def _value_or_none(expression: str, frame: FrameType) -> object:
    try:
        return eval(expression, frame.f_globals, frame.f_locals)
    except Exception:  # a condition that cannot be evaluated is not met
        return None


def _filled_in(message: str, frame: FrameType) -> str:
    """`{expressions}` of a log message replaced by their values."""
    parts = message.replace("}", "{").split("{")
    return "".join(part if index % 2 == 0 else str(_value_or_none(part, frame)) for index, part in enumerate(parts))
