"""What an attached program says through `console`: its own streams are not ours to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from server.cdp.remote_values import remote_to_value
from server.debug.session_model import Wrote

if TYPE_CHECKING:
    from cdp_protocol.generated.runtime import ConsoleAPICalled, RemoteObject

_SAYS_NOTHING = ("clear", "endGroup", "profile", "profileEnd")


def console_call_to_output(call: ConsoleAPICalled) -> Wrote | None:
    """One line for each call; None for those that write nothing."""
    if call.type in _SAYS_NOTHING:
        return None
    return Wrote("console", " ".join(map(_argument_to_text, call.args)) + "\n")


def _argument_to_text(argument: RemoteObject) -> str:
    if argument.type == "string":
        return str(argument.value)
    value = remote_to_value(argument, lambda _text: None)
    return value.preview if value.preview is not None else json.dumps(value.json)
