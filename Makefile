# On a machine with Python 3.11 or newer, pip and make:
#   make demo   set up, score the bundled corpus, print the table, write report.html
#   make test   set up, run all checks and tests
#   make docs   set up, build the documentation site into site/

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-
JOBS ?= 2

.PHONY: demo test slow lint docs bench studies clean help

help:
	@echo "make demo | test | slow | lint | docs | bench | studies | clean"

# The virtual environment is updated only when these files change.
$(STAMP)core: constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[report,embed]"
	touch $@

$(STAMP)test: constraints.txt pyproject.toml tests/oracles.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]" -r tests/oracles.txt
	touch $@ $(STAMP)core

$(STAMP)docs: constraints.txt pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	touch $@ $(STAMP)core

demo: $(STAMP)core
	$(BIN)/tealeaves demo --report report.html

lint: $(STAMP)test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A browser for the tests of pages is installed where that is possible.
# The test processes use all processors: more threads of numpy would only slow them down.
test: lint
	$(BIN)/python -m tests.chromium
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

slow: $(STAMP)test
	$(BIN)/python -m pytest -m slow

# The variable turns off an announcement that the theme prints.
docs: $(STAMP)docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html"

bench: $(STAMP)core
	$(PYTHON) -m benchmarks speed $(BENCH)

# `make studies` lists the studies; `make studies STUDY=people` runs one, with OPTIONS="--work FOLDER" for instance.
studies: $(if $(STUDY),$(STAMP)test)
	$(if $(STUDY),$(BIN)/python,$(PYTHON)) -m benchmarks $(STUDY) $(OPTIONS)

clean:
	rm -rf $(VENV) .venv-* site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
