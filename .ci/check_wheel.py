"""Fail unless the wheel that is named on the command line holds what the server needs, and nothing else."""

import sys
import zipfile

PACKAGES = {"server", "cdp_protocol"}
NEEDED = {
    "server/__main__.py",
    "server/cdp/injected/reporter.js",
    "server/cdp/injected/serialiser.js",
    "cdp_protocol/generated/debugger.py",
}

with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = set(wheel.namelist())
strangers = {name for name in names if name.partition("/")[0] not in PACKAGES and ".dist-info/" not in name}
missing = NEEDED - names
if strangers or missing:
    sys.exit(f"{sys.argv[1]}: does not belong there: {sorted(strangers)}; missing: {sorted(missing)}")
