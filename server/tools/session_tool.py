"""What all session tools are made of.

A tool says what it is, what it takes, which one request it makes of a session, and how the result is told. Checking
arguments, finding the session, waiting, giving up and failing are the same for all of them, and are here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from server.debug.deadline import Deadline
from server.debug.session import PendingAnswer, Session
from server.debug.session_model import ProgramState
from server.debug.session_requests import SessionRequest
from server.debug.sessions import Sessions
from server.errors import (
    CancelRequested,
    DebugError,
    DebuggerFailedError,
    InvalidArgumentsError,
    InvalidStateError,
    LimitExceededError,
    SessionNotFoundError,
)
from server.report.answer import Answer
from server.report.session_answer import Fields, error_answer, session_fields
from server.tools.arguments import ToolArguments
from server.tools.schema import described_problems, published_schema
from server.tools.session_arguments import WAIT_MS, SessionArguments

A = TypeVar("A", bound=ToolArguments)
S = TypeVar("S", bound=SessionArguments)
R = TypeVar("R")

_LIVE = (ProgramState.RUNNING, ProgramState.PAUSED)

READS = {"readOnlyHint": True, "openWorldHint": False}
GUIDES = {"destructiveHint": False}
RUNS_CODE = {"destructiveHint": True}
"""What a tool may do: look, guide a program that runs anyway, or have code run that would not run without it.

Where a hint is missing, the protocol's own default is right: not read-only, not idempotent, an open world."""


class SessionJob(Generic[R]):
    """One call of a session tool: the session has been asked, and this waits for what it answers."""

    def __init__(self, pending: PendingAnswer[R], to_answer: Callable[[R], Answer]) -> None:
        self.deadline = Deadline.after(WAIT_MS / 1000)
        self._pending = pending
        self._to_answer = to_answer
        self._began_at = time.monotonic()

    def run(self) -> Answer:
        """Wait for the answer, on the calling thread."""
        try:
            return self._to_answer(self._pending.wait())
        except DebugError as error:
            return error_answer(error)
        except CancelRequested:
            return error_answer(InvalidStateError("The call was cancelled."))

    def cancel(self) -> None:
        """Give the answer up; the program is left as it is."""
        self._pending.cancel()

    def progress(self) -> tuple[float, str]:
        """Seconds so far: a client that counts them knows that it does not wait in vain."""
        waited_s = int(time.monotonic() - self._began_at)
        return float(waited_s), f"waiting for {waited_s} s"

    def never_ran(self, others: int) -> Answer:
        """The answer when nobody was free to wait for the session's."""
        self._pending.cancel()
        return error_answer(
            LimitExceededError(
                f"{others} other calls are under way.", advice="Call again when some of them have been answered."
            )
        )


class SessionTool(ABC, Generic[A]):
    """A tool as the server lists and calls it. A subclass that has `arguments` gets its schema from them."""

    toolset = "session"
    name: str
    title: str
    description: str
    arguments: type[A]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, bool]
    example_arguments: dict[str, Any]
    example_answer: dict[str, Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "arguments" in cls.__dict__:
            cls.input_schema = published_schema(cls.arguments)

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions

    def start(self, arguments: Mapping[str, Any]) -> SessionJob[Any] | Answer:
        """Check the arguments and ask; nothing has been touched when they are refused."""
        try:
            return self.begin(self.arguments.model_validate(arguments))
        except ValidationError as error:
            return error_answer(self._refusal(error, arguments))
        except DebugError as error:
            return error_answer(error)

    def failure(self, message: str) -> Answer:
        """The answer when a defect kept the call from being served."""
        return error_answer(DebuggerFailedError(message))

    @abstractmethod
    def begin(self, arguments: A) -> SessionJob[Any] | Answer:
        """Ask, without waiting."""

    def _refusal(self, error: ValidationError, arguments: Mapping[str, Any]) -> InvalidArgumentsError:
        example = {name: value for name, value in self.example_arguments.items() if name != "session_id"}
        if "session_id" in self.arguments.model_fields and isinstance(arguments.get("session_id"), str):
            example = {"session_id": arguments["session_id"], **example}  # never one that is not the caller's
        return InvalidArgumentsError(
            f"Bad arguments for {self.name}:\n{described_problems(error)}",
            advice=f"Call {self.name} again with the arguments corrected; details has an example.",
            details={"example": example},
        )


class AskingTool(SessionTool[S], Generic[S, R]):
    """A tool that makes one request of one session."""

    def begin(self, arguments: S) -> SessionJob[R]:
        """Post the request."""
        session = self._find_session(arguments.session_id)
        pending = session.post(self.request(arguments, session))
        return SessionJob(pending, lambda result: self.answer(_about(session), arguments, result))

    @abstractmethod
    def request(self, arguments: S, session: Session) -> SessionRequest[R]:
        """What to ask of the session."""

    @abstractmethod
    def answer(self, about: Fields, arguments: S, result: R) -> Answer:
        """How the result is told; `about` begins it."""

    def _find_session(self, session_id: str | None) -> Session:
        return self.sessions.get(only_session_id(self.sessions) if session_id is None else session_id)


def only_session_id(sessions: Sessions) -> str:
    """The id of the one session that can be meant where none is named: the live one, or else the last one left."""
    summaries = sessions.list()
    live = [summary.session_id for summary in summaries if summary.state in _LIVE]
    ids = live or [summary.session_id for summary in summaries]
    if not ids:
        raise SessionNotFoundError(
            "There is no session.", advice="Call start_debugging or connect_debugger to begin one."
        )
    if len(ids) > 1:
        raise InvalidArgumentsError(
            f"There are {len(ids)} sessions: {', '.join(ids)}.",
            advice="Call again with session_id; list_debug_sessions tells which is which.",
            details={"session_ids": ids},
        )
    return ids[0]


def _about(session: Session) -> Fields:
    return session_fields(session.id, session.summary().state)


def answer_schema(**keys: str) -> dict[str, Any]:
    """The form of a tool's answers: its own keys with their types, beside what all answers have."""
    properties: dict[str, Any] = {"status": {"enum": ["ok", "error"]}}
    properties |= {name: {"type": kind} for name, kind in {**keys, "error": "object"}.items()}
    return {"type": "object", "properties": properties, "required": ["status"]}
