"""What can be read of sessions, and what is said of the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.debug.session_model import NO_OUTPUT, OutputEntry, OutputPage
from server.debug.session_terms import SessionChange
from server.errors import ResourceNotFoundError
from server.report.session_state import state_answer
from server.resources.resource_events import ResourceListChanged, ResourceUpdated, change_to_events
from server.resources.session_resources import TEMPLATES, SessionResources
from server.resources.session_uris import output_uri, session_uri, uri_to_session_id
from tests.unit.canned_sessions import WROTE, CannedSession, CannedSessions, exited, paused, running

TWO = CannedSessions(CannedSession(paused("s1"), output=WROTE), CannedSession(running("s7")))


def read(uri: str, sessions: CannedSessions = TWO) -> Any:
    return json.loads(SessionResources(sessions).read(uri))


def test_each_session_adds_its_state_and_its_output_to_the_list() -> None:
    assert [resource.uri for resource in SessionResources(TWO).list()] == [
        "debug://sessions",
        "debug://sessions/s1",
        "debug://sessions/s1/output",
        "debug://sessions/s7",
        "debug://sessions/s7/output",
    ]


def test_without_sessions_there_is_the_empty_list_of_them() -> None:
    none = CannedSessions()
    assert [resource.uri for resource in SessionResources(none).list()] == ["debug://sessions"]
    assert read("debug://sessions", none) == {"status": "ok", "sessions": []}


def test_names_and_titles_tell_sessions_apart() -> None:
    resources = SessionResources(TWO).list()
    assert len({resource.name for resource in resources}) == len(resources)
    assert len({resource.title for resource in resources}) == len(resources)
    assert all("node /app/cart.js" in resource.title for resource in resources[1:])


def test_the_list_of_sessions_says_where_each_one_stands() -> None:
    sessions = read("debug://sessions")["sessions"]
    assert [(session["session_id"], session["state"]) for session in sessions] == [("s1", "paused"), ("s7", "running")]


@pytest.mark.parametrize("report", [paused(), running(), exited()], ids=lambda report: report.state.value)
def test_a_session_reads_as_the_tools_answer_but_for_its_output(report: Any) -> None:
    told = read("debug://sessions/s1", CannedSessions(CannedSession(report)))
    answer = state_answer(report).structured
    assert {**told, "output": answer["output"]} == answer
    assert "output" not in told


def test_the_output_has_its_entries_in_order_and_a_cursor_to_go_on_from() -> None:
    told = read("debug://sessions/s1/output")
    assert told["cursor"] == WROTE.cursor
    assert [(entry["stream"], entry["text"]) for entry in told["entries"]] == [
        ("stdout", "hello\n"),
        ("stderr", "Error: no items\n"),
    ]


def test_text_that_is_no_unicode_can_still_be_sent() -> None:
    odd = OutputPage((OutputEntry(0, "stdout", "a\ud800b"),), 3)
    text = SessionResources(CannedSessions(CannedSession(running(), output=odd))).read("debug://sessions/s1/output")
    text.encode()
    assert json.loads(text)["entries"][0]["text"] == "a\ufffdb"


@pytest.mark.parametrize(
    "uri",
    [
        "debug://sessions/",
        "debug://sessions/s2",
        "debug://sessions/s2/output",
        "debug://sessions/s1/",
        "debug://sessions/s1/variables",
        "debug://sessions/s1/output/more",
        "debug://sessions/s1?x=1",
        "debug://sessions/{id}",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_unknown_resource_is_refused_with_those_that_there_are(uri: str) -> None:
    resources = SessionResources(TWO)
    for refuse in (resources.read, resources.check):
        with pytest.raises(ResourceNotFoundError) as refused:
            refuse(uri)
        assert refused.value.uri == uri
        assert all(known.uri in str(refused.value) for known in resources.list())


def test_what_is_listed_can_be_read_and_subscribed_to() -> None:
    resources = SessionResources(TWO)
    for resource in resources.list():
        resources.check(resource.uri)
        assert json.loads(resources.read(resource.uri))["status"] == "ok"


def test_a_uri_leads_back_to_its_session() -> None:
    assert uri_to_session_id(session_uri("s12")) == ("s12", False)
    assert uri_to_session_id(output_uri("s12")) == ("s12", True)
    assert [template.uri_template.format(id="s12") for template in TEMPLATES] == [session_uri("s12"), output_uri("s12")]


@pytest.mark.parametrize(
    ("change", "events"),
    [
        ("opened", [ResourceListChanged(), ResourceUpdated("debug://sessions")]),
        ("state", [ResourceUpdated("debug://sessions/s1"), ResourceUpdated("debug://sessions")]),
        ("output", [ResourceUpdated("debug://sessions/s1/output")]),
        (
            "closed",
            [
                ResourceListChanged(),
                ResourceUpdated("debug://sessions/s1"),
                ResourceUpdated("debug://sessions/s1/output"),
                ResourceUpdated("debug://sessions"),
            ],
        ),
    ],
)
def test_a_change_touches_exactly_the_resources_that_read_differently(change: Any, events: list[Any]) -> None:
    assert list(change_to_events(SessionChange("s1", change))) == events


def test_much_output_is_cut_to_its_end_and_says_how_much_is_missing() -> None:
    many = OutputPage(tuple(OutputEntry(number * 100, "stdout", f"{number:99}\n") for number in range(1000)), 100_000)
    told = read("debug://sessions/s1/output", CannedSessions(CannedSession(running(), output=many)))
    assert len(json.dumps(told)) < 8 * 1024
    assert told["entries"][-1]["text"].endswith(f"{999:99}\n")
    assert told["omitted_characters"] == told["entries"][0]["cursor"]


def test_no_output_yet_is_an_empty_page() -> None:
    told = read("debug://sessions/s1/output", CannedSessions(CannedSession(running(), output=NO_OUTPUT)))
    assert (told["entries"], told["cursor"]) == ([], 0)
