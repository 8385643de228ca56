"""Record what real Node.js runtimes say, for test_cdp_recorded.py.

    python tests/unit/cdp_protocol/record_messages.py 18=PATH_TO_NODE 20=PATH_TO_NODE ...

Each recording is one small run: start, breakpoint, evaluation, step, a thrown error, the end.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import websocket

from cdp_protocol.base import Command, Empty
from cdp_protocol.generated import debugger, node_runtime, profiler, runtime

RECORDED = Path(__file__).parent / "recorded"
PROGRAM = """\
function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum; // stops here
}
console.log(total([{ price: 1, tags: new Map([['a', 1]]) }]));
setTimeout(() => { throw new TypeError('late'); }, 1);
"""
Message = dict[str, Any]


class Recorder:
    """A connection that keeps every event and every answer."""

    def __init__(self, url: str) -> None:
        self._socket = websocket.create_connection(url, suppress_origin=True, timeout=30)
        self._last_id = 0
        self.events: list[Message] = []
        self.answers: list[Message] = []

    def close(self) -> None:
        self._socket.close()

    def ask(self, command: Command[Any]) -> Message:
        self._last_id += 1
        request = {"id": self._last_id, "method": command.METHOD, "params": command.to_params()}
        self._socket.send(json.dumps(request))
        answer = next(message for message in self._messages() if message.get("id") == self._last_id)
        if "error" in answer:
            raise RuntimeError(f"{command.METHOD}: {answer['error']}")
        result: Message = answer["result"]
        if command.result_type() is not Empty:
            self.answers.append({"method": command.METHOD, "result": result})
        return result

    def wait_for(self, method: str) -> Message:
        params: Message = next(one for one in self._messages() if one.get("method") == method)["params"]
        return params

    def _messages(self) -> Iterator[Message]:
        while True:
            message = json.loads(self._socket.recv())
            if "method" in message:
                self.events.append(message)
            yield message


def run_program(recorder: Recorder) -> None:
    """Take the recorder through one run that touches most of what we use."""
    recorder.ask(runtime.Enable())
    recorder.ask(debugger.Enable())
    recorder.ask(profiler.Enable())
    recorder.ask(node_runtime.NotifyWhenWaitingForDisconnect(enabled=True))
    recorder.ask(runtime.AddBinding(name="report"))
    recorder.ask(debugger.SetPauseOnExceptions(state="uncaught"))
    recorder.ask(debugger.SetAsyncCallStackDepth(max_depth=4))
    recorder.ask(debugger.SetBreakpointByUrl(line_number=3, url_regex=r"program\.js$"))
    recorder.ask(profiler.Start())
    recorder.ask(runtime.RunIfWaitingForDebugger())
    recorder.wait_for("Debugger.paused")
    recorder.ask(debugger.Resume())
    at_breakpoint = recorder.wait_for("Debugger.paused")
    inspect_frame(recorder, at_breakpoint["callFrames"][0])
    recorder.ask(debugger.StepOver())
    recorder.wait_for("Debugger.paused")
    recorder.ask(debugger.Resume())
    recorder.wait_for("Debugger.paused")
    recorder.ask(profiler.Stop())
    recorder.ask(debugger.Resume())
    recorder.wait_for("NodeRuntime.waitingForDisconnect")


def inspect_frame(recorder: Recorder, frame: Message) -> None:
    """Ask what can be asked of a paused frame."""
    here = debugger.Location.model_validate(frame["location"])
    start = here.model_copy(update={"line_number": 0, "column_number": 0})
    recorder.ask(debugger.GetPossibleBreakpoints(start=start))
    recorder.ask(debugger.GetScriptSource(script_id=here.script_id))
    for expression in ("sum", "items", "missing", "report(String(sum))"):
        evaluate = debugger.EvaluateOnCallFrame(
            call_frame_id=frame["callFrameId"], expression=expression, generate_preview=True
        )
        recorder.ask(evaluate)
    recorder.ask(runtime.GetProperties(object_id=frame["scopeChain"][0]["object"]["objectId"]))
    recorder.ask(runtime.Evaluate(expression="({ a: [1n, NaN] })", generate_preview=True))


def record(node: str) -> list[Message]:
    """Run the program under one node and return what it said."""
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory).resolve() / "program.js"
        program.write_text(PROGRAM, encoding="utf-8")
        command = [node, "--inspect-brk=0", str(program)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            announced = re.search(r"ws://\S+", process.stderr.readline())
            assert announced is not None
            recorder = Recorder(announced[0])
            try:
                run_program(recorder)
            finally:
                recorder.close()
                process.kill()
        return sanitise([*keep_own_scripts(recorder.events), *recorder.answers], directory, node)


def keep_own_scripts(events: list[Message]) -> list[Message]:
    """Node's own scripts say the same thing a hundred times: keep the first."""
    internal = [one for one in events if one["method"] == "Debugger.scriptParsed" and is_internal(one)]
    return [one for one in events if one not in internal[1:]]


def is_internal(event: Message) -> bool:
    url: str = event["params"]["url"]
    return url.startswith("node:")


def sanitise(messages: list[Message], directory: str, node: str) -> list[Message]:
    """Take out where it was recorded."""
    text = json.dumps(messages).replace(directory, "/app").replace(node, "node")
    for length in range(len(directory), 1, -1):  # previews cut a path in the middle
        text = text.replace(f"{directory[:length]}\\u2026", "/app\\u2026")
    cleaned: list[Message] = json.loads(text)
    return cleaned


def main(arguments: list[str]) -> None:
    for argument in arguments:
        version, _, node = argument.partition("=")
        text = "".join(f"{json.dumps(message)}\n" for message in record(node))
        (RECORDED / f"node{version}.jsonl").write_text(text, encoding="utf-8")
        print(f"recorded node{version}.jsonl, {len(text)} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
