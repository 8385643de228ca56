"""Scenario: how soon a client that starts the server can talk to it."""

from __future__ import annotations

from benchmarks.finding import Finding, Scenario
from benchmarks.samples import Samples, ratios
from benchmarks.ways import Way

MOST_TIMES_BARE = 1.15
_METHOD = """\
From the start of the process to its answer to `initialize`, divided by the same of a server that is only the `mcp`
package's low-level server with one tool that does nothing (`benchmarks/bare_server.py`), in the same round. Nearly all
of it is the import of `mcp`. Our own modules add a little, and holding the garbage collector still meanwhile takes as
much away again."""


def scenario(samples: Samples) -> Scenario:
    """Compare our start with the least that the SDK allows."""
    times_bare = ratios(samples[Way.OUR_START], samples[Way.BARE_START])
    finding = Finding(
        "start to the answer to `initialize`",
        f"{times_bare.text(2)} times a bare server",
        target=f"at most {MOST_TIMES_BARE}",
        reached=times_bare.median <= MOST_TIMES_BARE,
    )
    return Scenario("Server start", _METHOD, [finding])
