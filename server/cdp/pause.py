"""The little of a pause that every hit needs.

V8 describes the whole stack at each pause. Validating all of it would take longer than the evaluation that
follows, so the hot path reads four fields; `cdp_protocol.generated.debugger.Paused` has the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pause:
    """Where the program stands still, and at which breakpoints."""

    breakpoint_ids: tuple[str, ...]
    frame_id: str
    script_id: str


def params_to_pause(params: Mapping[str, Any]) -> Pause:
    """Read the parameters of a `Debugger.paused` event; what is missing or odd reads as empty."""
    frames = params.get("callFrames")
    top = frames[0] if isinstance(frames, list) and frames and isinstance(frames[0], dict) else {}
    location = top.get("location")
    hit = params.get("hitBreakpoints")
    return Pause(
        breakpoint_ids=tuple(str(one) for one in hit) if isinstance(hit, list) else (),
        frame_id=str(top.get("callFrameId", "")),
        script_id=str(location.get("scriptId", "")) if isinstance(location, dict) else "",
    )
