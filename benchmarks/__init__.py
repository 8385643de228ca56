"""Every performance claim of this project, measured by one command: `python -m benchmarks`."""
