# Every target sets up what it needs; nothing has to be installed by hand but Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help setup demo test lint format bench coverage requirements clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1	\2/' | expand -t 20

.venv/run-ready: requirements/run.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "driftline needs Python 3.11 or newer; set PYTHON=...")'
	@echo "Setting up .venv (once) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements/run.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev-ready: requirements/dev.txt .venv/run-ready
	@echo "Adding the development tools to .venv (once) ..."
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

setup: .venv/run-ready  ## make .venv with driftline in it

demo: .venv/run-ready  ## fit, show and tag on a bundled corpus
	@$(BIN)/driftline demo

test: .venv/dev-ready  ## run all tests
	@$(BIN)/python -m pytest -n 2

coverage: .venv/dev-ready  ## run all tests with line and branch coverage
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run --parallel-mode -m pytest
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

lint: .venv/dev-ready  ## ruff, format check, mypy --strict on src
	@$(BIN)/ruff check src tests benchmarks
	@$(BIN)/ruff format --check src tests benchmarks
	@$(BIN)/mypy

format: .venv/dev-ready  ## rewrite the code in the house style
	@$(BIN)/ruff check --fix-only --quiet src tests benchmarks
	@$(BIN)/ruff format src tests benchmarks

bench: .venv/dev-ready  ## ratios against peers, measured in one run (CORPORA=folder adds your own)
	@$(BIN)/python benchmarks/run.py $(if $(CORPORA),--corpora $(CORPORA))

requirements:  ## pin the dependencies again (needs uv)
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		pyproject.toml --group pyproject.toml:build --group pyproject.toml:explore -o requirements/run.txt
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		-c requirements/run.txt pyproject.toml --group pyproject.toml:dev -o requirements/dev.txt

clean:  ## remove everything that make made
	@rm -rf .venv .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
