"""The command line of debug-script-mcp."""

from __future__ import annotations

import gc

gc.disable()  # thousands of objects come to stay during the imports; looking through them for garbage costs

import argparse  # noqa: E402
import logging  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from dataclasses import replace  # noqa: E402

from server.app import App  # noqa: E402
from server.config import TOOLSETS, Settings, SettingsError, parse_toolsets  # noqa: E402

gc.freeze()
gc.enable()


def main() -> None:
    """Serve MCP on standard input and output."""
    parser = argparse.ArgumentParser(
        prog="debug-script-mcp",
        description="An MCP server, on standard input and output, that shows an agent what a program really does.",
        epilog="Settings are environment variables, see docs/clients.md. Logs go to standard error.",
    )
    parser.add_argument("--log-level", default="WARNING", choices=["DEBUG", "INFO", "WARNING", "ERROR"])
    parser.add_argument(
        "--tools",
        metavar="NAMES",
        help=f"the toolsets to offer, with commas between them: {', '.join(TOOLSETS)} (all of them by default)",
    )
    options = parser.parse_args()
    if sys.stdin is None or sys.stdout is None:
        parser.error("standard input and output have to be open: an MCP client speaks there")
    logging.basicConfig(level=options.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        settings = Settings.from_environment(os.environ)
        if options.tools is not None:
            settings = replace(settings, tools=parse_toolsets("--tools", options.tools))
    except SettingsError as error:
        parser.error(str(error))
    try:
        App(settings).serve()
    finally:
        _give_up_unread_log()


def _give_up_unread_log() -> None:
    """What is left of a log that nobody reads any more would make the exit code look like a failure."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    main()
