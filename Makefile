# Two commands on a fresh machine with Python 3.11+, pip and make:
#   make demo   set up, score the bundled corpus, print the table, write report.html
#   make test   set up, run all checks and tests
# and `make docs` builds the site of the documentation into site/

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-
JOBS ?= 2

.PHONY: demo test slow lint docs bench clean help

help:
	@echo "make demo | test | slow | lint | docs | bench | clean"

# The venv is kept while what it is made of is unchanged.
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

# workers have the processors; threads of numpy would only wait for each other
test: lint
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

slow: $(STAMP)test
	$(BIN)/python -m pytest -m slow

# the variable silences what the theme says of its own future
docs: $(STAMP)docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

bench: $(STAMP)core
	$(PYTHON) benchmarks/run.py $(BENCH)

clean:
	rm -rf $(VENV) .venv-* site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
