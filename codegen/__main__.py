"""The command line: ``python -m codegen fetch | generate | check``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from codegen.allowlist import AllowListError
from codegen.fetch import FetchError, fetch
from codegen.npm_package import NpmError
from codegen.pipeline import InputError, Layout, check, generate
from codegen.render import GeneratorError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parse(arguments)
    try:
        return _run(options)
    except (AllowListError, FetchError, GeneratorError, InputError, NpmError) as error:
        print(error, file=sys.stderr)
        return 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="a checkout")
    commands = parser.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch", help="download the pinned inputs (needs network)")
    fetching.add_argument("--repin", action="store_true", help="pin the hashes of what was downloaded")
    commands.add_parser("generate", help="write cdp_protocol/generated from the pinned inputs")
    commands.add_parser("check", help="fail unless cdp_protocol/generated is what generate would write")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> int:
    layout = Layout.of_project(options.root)
    if options.command == "fetch":
        _report("fetched", fetch(layout.codegen_dir, repin=options.repin))
        return 0
    if options.command == "generate":
        _report("wrote", generate(layout))
        return 0
    problems = check(layout)
    if problems:
        print("\n".join([*problems, "run: make codegen"]), file=sys.stderr)
        return 1
    print("cdp_protocol/generated is up to date")
    return 0


def _report(done: str, names: list[str]) -> None:
    print("\n".join(f"{done} {name}" for name in names) if names else "nothing changed")


if __name__ == "__main__":
    sys.exit(main())
