"""Calls of session tools over the real wire; every answer is checked for what all of them have to keep."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # its stubs would be one more dependency

from tests.e2e.server_process import ServerProcess

MAX_BYTES = 8 * 1024


class SessionClient:
    """A client of a server, after the handshake."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        listed = server.ask("tools/list")["tools"]
        self._schemas = {tool["name"]: Draft202012Validator(tool["outputSchema"]) for tool in listed}

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a success."""
        answer, _ = self.both(name, **arguments)
        assert answer["status"] == "ok", answer
        return answer

    def error(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The error of a failure."""
        answer, _ = self.both(name, **arguments)
        assert answer["status"] == "error", answer
        error = answer["error"]
        assert isinstance(error, dict)
        return error

    def text(self, name: str, /, **arguments: Any) -> str:
        """The text of either."""
        return self.both(name, **arguments)[1]

    def both(self, name: str, /, **arguments: Any) -> tuple[dict[str, Any], str]:
        return self.take(name, self.server.start_call(arguments, name=name))

    def take(self, name: str, request_id: int) -> tuple[dict[str, Any], str]:
        """Wait for the answer to a call that was sent."""
        result = self.server.result(request_id)
        structured = result["structuredContent"]
        assert isinstance(structured, dict)
        self._schemas[name].validate(structured)
        [content] = result["content"]
        text = str(content["text"])
        assert result.get("isError", False) == (structured["status"] == "error")
        assert len(json.dumps(structured, ensure_ascii=False, separators=(",", ":")).encode()) <= MAX_BYTES
        assert len(text.encode()) <= MAX_BYTES
        if structured["status"] == "error":
            error = structured["error"]
            assert set(error) == {"code", "message", "details", "next"}
            assert text.startswith(f"{error['code']}: {error['message']}")
            assert text.endswith(f"next: {error['next']}")
        return structured, text
