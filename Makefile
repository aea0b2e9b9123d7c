# On a machine with Python 3.11 or newer, pip and make:
#   make demo   set up, score the bundled corpus, print the table, write report.html
#   make test   set up, run all checks and tests
#   make docs   set up, build the documentation site into site/

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-
JOBS ?= 2

# The sources of the compiled kernels. Without a C compiler the kernels run in Python, slowly, unless
# TEALEAVES_REQUIRE_KERNELS is set: then the installation fails.
NATIVE := setup.py $(wildcard src/native/*)

.PHONY: demo test slow fuzz lint types coverage docs bench studies test-pythons release-check clean help

help:
	@echo "make demo | test | slow | fuzz | lint | types | coverage | docs | bench | studies"
	@echo "     test-pythons | release-check | clean"

# The virtual environment is updated, and the kernels are compiled, only when these files change.
$(STAMP)core: constraints.txt pyproject.toml $(NATIVE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[report,embed]"
	touch $@

$(STAMP)test: constraints.txt pyproject.toml tests/oracles.txt $(NATIVE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]" -r tests/oracles.txt
	touch $@ $(STAMP)core

$(STAMP)docs: constraints.txt pyproject.toml $(NATIVE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	touch $@

demo: $(STAMP)core
	$(BIN)/tealeaves demo --report report.html

lint: $(STAMP)test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

types: $(STAMP)test
	$(BIN)/mypy

# A browser for the tests of pages is installed where that is possible.
# The test processes use all processors: more threads of numpy would only slow them down.
test: lint
	$(BIN)/python -m tests.chromium
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

# Which lines and branches the tests run; htmlcov/index.html shows them.
coverage: $(STAMP)test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --cov --cov-report=term --cov-report=html

slow: $(STAMP)test
	$(BIN)/python -m pytest -m slow

# Changed files for every reader, until Ctrl-C; OPTIONS="--seed 7 --inputs 1" repeats one that failed.
fuzz: $(STAMP)test
	$(BIN)/python -m tools.fuzz $(OPTIONS)

# The variable turns off an announcement that the theme prints.
docs: $(STAMP)docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html"

bench: $(STAMP)core
	$(PYTHON) -m benchmarks speed $(BENCH)

# `make studies` lists the studies; `make studies STUDY=people` runs one, with OPTIONS="--work FOLDER" for instance.
studies: $(if $(STUDY),$(STAMP)test)
	$(if $(STUDY),$(BIN)/python,$(PYTHON)) -m benchmarks $(STUDY) $(OPTIONS)

# The fast tests with each Python from 3.11 on that is found, and with the lowest versions of packages.
test-pythons:
	$(PYTHON) -m tools.test_pythons $(OPTIONS)

# What a release is made of: workflows, wheel, sdist. OPTIONS=--all-tests runs all tests of the sdist.
release-check:
	$(PYTHON) -m tools.release_check $(OPTIONS)

clean:
	rm -rf $(VENV) .venv-* build htmlcov .coverage* src/*.egg-info src/tealeaves/_native* site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
