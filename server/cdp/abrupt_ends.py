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

_KILL = "process.kill"
# A breakpoint on a native function makes V8 search the whole heap for each new global scope: a program with hundreds of
# them takes fifty times as long. So the native one gets a proxy, which has its name and its properties.
_STOP_AT_ABORT = """(() => {
  "use strict";
  const { apply } = Reflect;
  const found = Object.getOwnPropertyDescriptor(process, "abort");
  if (found === undefined || typeof found.value !== "function" || !found.configurable) return;
  const stop = (target, self, given) => { debugger; return apply(target, self, given); };
  found.value = new Proxy(found.value, { __proto__: null, apply: stop });
  Object.defineProperty(process, "abort", found);
})()"""


def stop_before_abrupt_ends(connection: Connection) -> None:
    """While the program stands still: from now on it also stops where it is about to kill itself."""
    from cdp_protocol.generated import debugger, runtime

    connection.post(runtime.Evaluate(expression=_STOP_AT_ABORT, silent=True))
    try:
        function = connection.send(runtime.Evaluate(expression=_KILL, silent=True)).result.object_id
    except (ProtocolError, DisconnectedError) as error:
        log.debug("the last reports before a program kills itself may be lost: %s", error)
        return
    if function is not None:
        connection.post(debugger.SetBreakpointOnFunctionCall(object_id=function))
