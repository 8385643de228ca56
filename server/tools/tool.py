"""What a tool is: a description, a schema, and one job for each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from server.debug.deadline import Deadline
from server.report.answer import Answer


class Job(Protocol):
    """One call under way. `run` happens on a worker thread, the rest on the event loop."""

    deadline: Deadline

    def run(self) -> Answer:
        """Do the whole work; never raises for what the agent or the program did."""
        ...

    def cancel(self) -> None:
        """Make `run` end soon; from any thread, at any time, also before it began or after it ended."""
        ...

    def progress(self) -> tuple[float, str]:
        """How far it is, in a number that only grows and in words."""
        ...

    def never_ran(self, others: int) -> Answer:
        """The answer when its time was used up while others ran."""
        ...


class Tool(Protocol):
    """A tool as the server lists and calls it."""

    toolset: str
    """Which of the toolsets it belongs to, all of which a server may be told to leave out."""
    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, bool]
    example_arguments: dict[str, Any]
    example_answer: dict[str, Any]
    """The structured content that those arguments bring."""

    def start(self, arguments: Mapping[str, Any]) -> Job | Answer:
        """Check the arguments: a job to run, or the answer that says what is wrong with them."""
        ...

    def failure(self, message: str) -> Answer:
        """The answer, in the tool's own shape, when a defect kept a call from being served."""
        ...
