"""Reading a pause: right for what Node sends, harmless for anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cdp_protocol.generated import debugger
from server.cdp.pause import params_to_pause
from tests.recording.recording_file import RECORDINGS, Recording

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ("callFrames", "hitBreakpoints", "reason", "data")
FRAMES = st.lists(st.fixed_dictionaries({}, optional={"callFrameId": JSON_VALUES, "location": JSON_VALUES}), max_size=2)


@pytest.mark.parametrize(
    "path", sorted(RECORDINGS.glob("*/*.jsonl")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_recorded_pauses_read_as_their_full_model_does(path: Path) -> None:
    pauses = [event["params"] for event in Recording.read(path).events() if event["event"] == debugger.Paused.METHOD]
    assert pauses
    for params in pauses:
        pause, full = params_to_pause(params), debugger.Paused.model_validate(params)
        top = full.call_frames[0]
        assert pause.frame_id == top.call_frame_id
        assert pause.script_id == top.location.script_id
        assert pause.breakpoint_ids == tuple(full.hit_breakpoints or ())
        assert (pause.line_number, pause.column_number) == (top.location.line_number, top.location.column_number)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON_VALUES | FRAMES))
def test_anything_else_reads_as_a_pause_too(params: dict[str, Any]) -> None:
    pause = params_to_pause(params)
    assert isinstance(pause.frame_id, str)
    assert isinstance(pause.script_id, str)
    assert all(isinstance(breakpoint_id, str) for breakpoint_id in pause.breakpoint_ids)


def test_what_is_missing_reads_as_empty() -> None:
    pause = params_to_pause({})
    assert (pause.frame_id, pause.script_id, pause.breakpoint_ids) == ("", "", ())


@pytest.mark.parametrize(
    ("frame_id", "context_id"),
    [("-8012393791843308908.2.0", 2), ("1.17.6", 17), ("", None), ("frame-1", None), ("1.x.0", None), ("1.2", None)],
)
def test_global_scope_is_read_from_the_id_of_the_innermost_frame(frame_id: str, context_id: int | None) -> None:
    assert params_to_pause({"callFrames": [{"callFrameId": frame_id}]}).context_id == context_id
