"""The little of a pause that every hit needs.

V8 describes the whole stack at each pause. Validating all of it would take longer than the evaluation that
follows, so the hot path reads a few fields; `cdp_protocol.generated.debugger.Paused` has the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pause:
    """Where the program stands still, and at which breakpoints; numbers as on the wire."""

    breakpoint_ids: tuple[str, ...]
    frame_id: str
    script_id: str
    line_number: int
    column_number: int
    before_module: bool
    """Whether it stands before the first statement of a module, held because the module has a source map."""
    frames: tuple[dict[str, Any], ...]
    """The whole stack, innermost first, as it came."""

    @property
    def context_id(self) -> int | None:
        """The global scope of the innermost frame."""
        return frame_context_id(self.frame_id)

    @property
    def frame_ids(self) -> tuple[str, ...]:
        """V8's ids of all frames, innermost first."""
        return tuple(str(frame.get("callFrameId", "")) for frame in self.frames)

    @property
    def outermost_frame_id(self) -> str:
        """The frame that called all others."""
        return str(self.frames[-1].get("callFrameId", "")) if self.frames else ""


def frame_context_id(frame_id: str) -> int | None:
    """The global scope of a frame: the second of three numbers in V8's id. None for other ids.

    The script does not tell it, since one script can run in several.
    """
    match frame_id.split("."):
        case [_, context_id, _] if context_id.isdecimal():
            return int(context_id)
        case _:
            return None


def params_to_pause(params: Mapping[str, Any]) -> Pause:
    """Read the parameters of a `Debugger.paused` event; what is missing or odd reads as empty."""
    call_frames = params.get("callFrames")
    frames = tuple(frame for frame in call_frames if isinstance(frame, dict)) if isinstance(call_frames, list) else ()
    top = frames[0] if frames else {}
    location = top.get("location")
    place = location if isinstance(location, dict) else {}
    return Pause(
        breakpoint_ids=_hit_breakpoints(params),
        frame_id=str(top.get("callFrameId", "")),
        script_id=str(place.get("scriptId", "")),
        line_number=_number(place.get("lineNumber")),
        column_number=_number(place.get("columnNumber")),
        before_module=params.get("reason") == "instrumentation",
        frames=frames,
    )


def _hit_breakpoints(params: Mapping[str, Any]) -> tuple[str, ...]:
    hit = params.get("hitBreakpoints")
    if not isinstance(hit, list) or _is_out_of_memory(params):
        return ()
    return tuple(str(one) for one in hit)


def _is_out_of_memory(params: Mapping[str, Any]) -> bool:
    """V8 stops inside the statement that allocates; Node 20 and 22 name a breakpoint there once more."""
    data = params.get("data")
    reasons = data.get("reasons") if isinstance(data, dict) else None
    return isinstance(reasons, list) and {"reason": "OOM"} in reasons


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
