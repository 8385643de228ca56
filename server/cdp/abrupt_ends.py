"""Has a program stand still for a moment before it kills itself.

What it reported last leaves it from another thread, and would die with it. At a stop everything before has been read.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from server.errors import DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from server.cdp.connection import Connection

log = logging.getLogger(__name__)

_DEADLY = ("process.abort", "process._kill")
"""Node's own functions: a breakpoint on them is not seen by the program, unlike a wrapper."""


def stop_before_abrupt_ends(connection: Connection) -> None:
    """While the program stands still: from now on it also stops where it is about to kill itself."""
    from cdp_protocol.generated import debugger, runtime

    calls = [connection.post(runtime.Evaluate(expression=name, silent=True)) for name in _DEADLY]
    try:
        for call in calls:
            function = connection.wait(call).result.object_id
            if function is not None:
                connection.post(debugger.SetBreakpointOnFunctionCall(object_id=function))
    except (ProtocolError, DisconnectedError) as error:
        log.debug("the last reports before an abrupt end may be lost: %s", error)
