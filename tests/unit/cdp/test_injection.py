"""What is put into the program, and into which of its global scopes."""

from __future__ import annotations

from cdp_protocol.generated import debugger
from server.cdp.injection import BINDING, Injection
from tests.unit.cdp.conversation import answer_everything, conversation

MAX_BYTES = 1000


def test_each_global_scope_is_prepared_once_and_with_a_binding_of_its_own() -> None:
    with conversation(answer_everything) as talk:
        injection = Injection(talk.connection, MAX_BYTES)
        for context_id in (1, 2, 1, None, 2, None):
            injection.prepare(context_id, hits_left=7, outermost_frame_id="frame-9")
        talk.connection.send(debugger.Resume())
    commands = talk.inspector.commands()[:-1]
    bindings = [command["params"] for command in commands if command["method"] == "Runtime.addBinding"]
    assert bindings == [{"name": BINDING, "executionContextId": context_id} for context_id in (1, 2)]
    [stash] = [command["params"] for command in commands if command["method"] == "Debugger.evaluateOnCallFrame"]
    assert stash["callFrameId"] == "frame-9"
    sources = [command["params"] for command in commands if command["method"] == "Runtime.evaluate"]
    assert [source.get("contextId", "none") for source in sources] == [1, 2, "none"]
    assert len({source["expression"] for source in sources}) == 1
    assert f'"bytes": {MAX_BYTES}' in sources[0]["expression"]
    assert '"left": 7' in sources[0]["expression"]


def test_the_binding_is_there_before_the_source_that_takes_it() -> None:
    with conversation(answer_everything) as talk:
        Injection(talk.connection, MAX_BYTES).prepare(1, hits_left=0, outermost_frame_id="frame-9")
        talk.connection.send(debugger.Resume())
    methods = [command["method"] for command in talk.inspector.commands()]
    assert methods[:3] == ["Debugger.evaluateOnCallFrame", "Runtime.addBinding", "Runtime.evaluate"]
