"""Takes out of a recording what differs from machine to machine and from run to run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from server.cdp.script_urls import file_to_url_pattern
from tests.recording.recording_file import PUBLIC_PROGRAMS, Message, comparable_params

_OUR_SOURCE_LENGTH = 2_000
"""A script without a URL that is longer than this is the server's own."""


class Sanitiser:
    """Cleans the messages of one run; the same id of a script becomes the same number everywhere in it."""

    def __init__(self, node: str, folder: str, watched_file: str) -> None:
        self._replacements = [
            # The longer ones first: one may hold another.
            (file_to_url_pattern(f"{folder}/{watched_file}"), file_to_url_pattern(f"{PUBLIC_PROGRAMS}/{watched_file}")),
            (folder, PUBLIC_PROGRAMS),
            (node, "node"),
        ]
        self._script_ids: dict[str, str] = {}

    def clean(self, messages: Iterable[Message]) -> list[Message]:
        """The messages as they are written."""
        return [self._object(message) for message in messages]

    def _object(self, value: Message) -> Message:
        for reduce in _REDUCTIONS:
            value = reduce(value)
        return {key: self._value(key, item) for key, item in value.items()}

    def _value(self, key: str, value: Any) -> Any:
        match value:
            case dict():
                return self._object(comparable_params(value))
            case list():
                return [self._value(key, item) for item in (_ends(value) if key == "callFrames" else value)]
            case str():
                return self._text(key, value)
            case float() | int() if key == "timestamp":
                return 0
            case _:
                return value

    def _text(self, key: str, text: str) -> str:
        match key:
            case "scriptId":
                return self._script_ids.setdefault(text, str(len(self._script_ids) + 1))
            case "callFrameId" | "objectId":
                return re.sub(r"^-?\d+\.", "1.", text)  # the isolate has a random number
            case "hash" | "uniqueId" | "debuggerId":
                return "0"
        for private, public in self._replacements:
            text = text.replace(private, public)
        return re.sub(r"^node\[\d+\]$", "node[1]", text)  # the name of a context holds the process's number


def _without_stack_of_internal_script(value: Message) -> Message:
    """Which of Node's own code loads which changes with every release of it."""
    if str(value.get("url", "")).startswith("node:"):
        return {key: item for key, item in value.items() if key != "stackTrace"}
    return value


def _without_size_of_our_source(value: Message) -> Message:
    if value.get("url") == "" and value.get("length", 0) > _OUR_SOURCE_LENGTH:
        return {**value, "endLine": 0, "endColumn": 0, "length": 0}
    return value


def _without_measurements(value: Message) -> Message:
    """Of a profile, its form: where and how often samples fell is chance."""
    if not {"nodes", "startTime", "endTime"} <= value.keys():
        return value
    root = {**value["nodes"][0], "hitCount": 0, "children": []}
    return {**value, "nodes": [root], "startTime": 0, "endTime": 1, "samples": [root["id"]], "timeDeltas": [1]}


def _without_cut_stack(value: Message) -> Message:
    """A preview cuts a stack after so many characters, wherever in a path that is."""
    if value.get("name") == "stack" and value.get("type") == "string" and "value" in value:
        return {**value, "value": "(the stack)"}
    return value


_REDUCTIONS: tuple[Callable[[Message], Message], ...] = (
    _without_stack_of_internal_script,
    _without_size_of_our_source,
    _without_measurements,
    _without_cut_stack,
)


def _ends(frames: list[Any]) -> list[Any]:
    """How much of a stack stays: the frame that counts, and the outermost one, to which the server speaks as well."""
    return frames if len(frames) < 2 else [frames[0], frames[-1]]
