"""Start the real server over stdio, have it debug cart.js, and show the request, the answer and the time it took.

Run it with `make demo`. It exits with 1 when the answer is not the one that the example is about.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

EXAMPLE = Path(__file__).with_name("cart.js")
ROOT = EXAMPLE.parents[2]
WATCHED = "total += price * quantity;"

EXPECTED = {
    "results": [
        {"type": "object", "value": {"name": "Kettle", "price": 22.5, "total": 0}},
        {"type": "object", "value": {"name": "Cup", "price": 4.5, "total": 22.5}},
        {"type": "object", "value": {"name": "Green tea", "price": 9, "total": 40.5}},
    ]
}
QUESTION = """\
docs/example/cart.js prints a receipt: its lines add up to 78.00, but its total is 58.50.
What are the prices when the total is made? Instead of adding a console.log, ask debug-script:"""
FINDING = """\
The kettle costs 40.00, and 30.00 with the coupon of 25 %. Here it is at 22.50: applyCoupon changes the item that it is
given, and the receipt had applied it already. No line of the program was changed to see that."""


def make_request() -> dict[str, Any]:
    """The arguments of the call, with the line looked up in the example."""
    lines = EXAMPLE.read_text().splitlines()
    [line] = [number for number, text in enumerate(lines, 1) if text.strip() == WATCHED]
    file = EXAMPLE.relative_to(ROOT).as_posix()
    return {
        "command": f"node --inspect-brk=0 {file}",
        "breakpoint": {"file": file, "line": line},
        "expression": "{name, price, total}",
        "timeout": 30000,
    }


async def timed_call(client: Client, request: dict[str, Any]) -> tuple[Any, float]:
    """The structured content of the answer, and the seconds that it took."""
    begin = time.perf_counter()
    result = await client.call_tool("debug-script", request)
    return result.structured_content, time.perf_counter() - begin


def show_answer(answer: dict[str, Any]) -> None:
    """One line for each hit, as it came over the wire."""
    if "results" not in answer:
        print(json.dumps(answer, indent=2, ensure_ascii=False))
        return
    for result in answer["results"]:
        print(f"  {json.dumps(result)}")
    beside = {name: value for name, value in answer.items() if name != "results"}
    if beside:
        print(f"  {json.dumps(beside)}")


async def demo() -> bool:
    """Ask twice, show everything, and tell whether both answers were right."""
    request = make_request()
    server = StdioServerParameters(command=sys.executable, args=["-m", "server"], cwd=ROOT)
    begin = time.perf_counter()
    async with Client(stdio_client(server)) as client:
        started_s = time.perf_counter() - begin
        print(f"{QUESTION}\n\n{json.dumps(request, indent=2)}\n\nThe answer, one result for each time the line ran:\n")
        first, first_s = await timed_call(client, request)
        show_answer(first)
        second, second_s = await timed_call(client, request)
    print(f"\nserver ready {started_s:.2f} s   first call {first_s:.2f} s   second call {second_s:.2f} s")
    return bool(first == EXPECTED and second == EXPECTED)


def main() -> int:
    """Run the demo; the exit code says whether the answer was right."""
    if anyio.run(demo):
        print(f"\n{FINDING}")
        return 0
    print(f"\nThe answer should have been:\n{json.dumps(EXPECTED, indent=2)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
