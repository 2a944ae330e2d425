# All commands of the project; `make` without a target lists them. PYTHON=… chooses the interpreter.
PYTHON ?= python3
VENV := .venv
VENV_DUCKDB_1 := .venv-duckdb-1
VENV_DBT := .venv-dbt
VENV_OLDEST := .venv-oldest
VENV_BENCH := .venv-bench
PINS := requirements/build.txt requirements/runtime.txt
DEV_PINS := $(PINS) requirements/dev.txt
ENGINE_PINS := $(DEV_PINS) requirements/engines.txt
# Bytecode is compiled on first import: compiling all modules would take as long as installing them.
PIP_OPTIONS := --quiet --disable-pip-version-check --no-compile
PIP_INSTALL := -m pip install $(PIP_OPTIONS)
# Environments are created, and checks run, two at a time.
MAKEFLAGS += --jobs=2
# Python images for containers often set this: each process that a test starts would then compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
DBT_TESTS := tests/surfaces/test_dbt.py
KERNEL_TESTS := tests/kernels
DOCS_TESTS := tests/docs
NOT_DBT := --ignore=$(DBT_TESTS)
FAST_TESTS := tests/kernels tests/udf $(addprefix tests/planner/test_,catalog.py files_in_duckdb.py reading_headers.py templates.py) \
	$(addprefix tests/functions/distances/test_,copies.py edges.py scaling.py) \
	$(addprefix tests/functions/disclosure/test_,discernibility.py quasi_identifiers.py) \
	$(addprefix tests/functions/membership/test_,screening.py exposing.py) \
	$(addprefix tests/surfaces/cli/test_,completion.py errors.py gate.py)
NO_SKIPS := $(if $(filter true,$(CI)),-p no_skips)
PYTEST = -m pytest $(NO_SKIPS) -p no:cacheprovider --durations=15 --durations-min=2

.PHONY: help demo test warm test-fast test-oldest methods messages shown lint types docs bench tune peers profile build pins clean

help: ## List the commands
	@awk -F ': .*## ' '/^[a-z-]+: .*## /{printf "make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/runtime ## Generate customers and three synthetic tables, two of which leak, and evaluate them
	@$(VENV)/bin/synthpriv demo

test: lint types docs warm $(VENV_DUCKDB_1)/dev $(VENV_DBT)/dev ## Run every check: ruff, mypy, docs, and the tests on DuckDB 2 and 1, and with dbt
	@echo "Testing on DuckDB 2 and, beside it, on DuckDB 1 and all that has a process of its own"
	@export PYTHONPATH=tests/plugins; \
	$(VENV_DUCKDB_1)/bin/python $(PYTEST) $(NOT_DBT) > .duckdb-1.log 2>&1 & one=$$!; \
	( failed=0; \
	  echo "On Spark:"; $(VENV)/bin/python $(PYTEST) $(NOT_DBT) -m spark || failed=1; \
	  echo "The documentation:"; $(VENV)/bin/python $(PYTEST) $(DOCS_TESTS) -m "not spark" || failed=1; \
	  echo "With dbt:"; $(VENV_DBT)/bin/python $(PYTEST) $(DBT_TESTS) || failed=1; \
	  exit $$failed ) > .others.log 2>&1 & others=$$!; \
	$(VENV)/bin/python $(PYTEST) $(NOT_DBT) --ignore=$(DOCS_TESTS) -m "not spark"; two=$$?; \
	wait $$others; others=$$?; cat .others.log; rm .others.log; \
	wait $$one; one=$$?; echo "On DuckDB 1:"; cat .duckdb-1.log; rm .duckdb-1.log; \
	test $$one -eq 0 && test $$two -eq 0 && test $$others -eq 0

# Compiled once: the environments share it, and the suites begin at the same time.
warm: $(VENV)/dev
	@$(VENV)/bin/synthpriv warm > .warm.log 2>&1 || { cat .warm.log; exit 1; }

test-fast: $(VENV)/dev ## Run the tests that need no server, on DuckDB 2: functions, kernel, surfaces
	@ONE_SUITE=1 PYTHONPATH=tests/plugins $(VENV)/bin/python -m pytest -q -p no:cacheprovider $(FAST_TESTS)

test-oldest: $(VENV_OLDEST)/dev ## Run the tests of what numba does not promise, and of its products, with the oldest numba allowed
	@PYTHONPATH=tests/plugins $(VENV_OLDEST)/bin/python -m pytest -q -p no:cacheprovider $(addprefix $(KERNEL_TESTS)/test_,private.py brute.py)

lint: $(VENV)/dev ## Check the style with ruff, and that the rooms of the package import downwards only
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/lint-imports --no-logo --no-cache > .imports.log || { cat .imports.log; exit 1; }

methods: $(VENV)/runtime ## Generate files from the headers of sql/: the stub of the methods of a Session, and lists of files
	@$(VENV)/bin/python tools/methods.py

messages: $(VENV)/runtime ## Update the catalogs of other languages with the messages in the source
	@$(VENV)/bin/python tools/messages.py

shown: $(VENV)/dev ## Update the output that README.md and docs/ show
	@PYTHONPATH=tests/plugins:tests/helpers $(VENV)/bin/python tests/docs/test_readme.py
	@PYTHONPATH=tests/plugins:tests/helpers $(VENV)/bin/python tests/docs/test_docs.py

types: $(VENV)/dev ## Check the types with mypy
	@$(VENV)/bin/mypy

docs: $(VENV)/docs ## Build the documentation into site/; every link must lead somewhere
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --quiet --strict

bench: $(VENV_BENCH)/bench ## Run the benchmarks of this package and its peers into benchmarks/results/; CASES="adult acs" OPTIONS=--quick
	@$(VENV_BENCH)/bin/python -m benchmarks $(CASES) $(OPTIONS)

tune: $(VENV)/dev ## Measure the constants by which a search chooses its way, beside those in the source
	@$(VENV)/bin/python -m benchmarks.tune

peers: $(VENV_BENCH)/bench ## Run other tools to update the numbers that the tests of sql/peers/ compare with
	@$(VENV_BENCH)/bin/python -m benchmarks.others

profile: $(VENV_BENCH)/bench ## Profile a search; CASE=adult, acs, numbers or mixed
	@$(VENV_BENCH)/bin/python -m benchmarks --profile $(or $(CASE),adult) $(OPTIONS)

build: $(VENV)/runtime ## Build the wheel and the source distribution into dist/
	@$(VENV)/bin/python -m hatchling build

pins: ## Update requirements/*.txt from pyproject.toml
	@requirements/pin

clean: ## Remove the environments, the builds and the caches
	rm -rf $(VENV) $(VENV_DUCKDB_1) $(VENV_DBT) $(VENV_OLDEST) $(VENV_BENCH) dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find synthpriv_sql tests -name __pycache__ -prune -exec rm -rf {} +

# The files below mark an environment as complete; a changed pin makes them stale.
$(VENV)/runtime: pyproject.toml $(PINS) requirements/duckdb-2.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=...")'
	@echo "Installing into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/runtime.txt -r requirements/duckdb-2.txt
	@$(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev: $(VENV)/runtime $(ENGINE_PINS)
	@echo "Installing the dependencies of the checks into $(VENV)"
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/engines.txt -r requirements/duckdb-2.txt
	@touch $@

# DuckDB 1 alone; all else is found in $(VENV), after what is here.
$(VENV_DUCKDB_1)/dev: $(VENV)/dev requirements/duckdb-1.txt
	@echo "Installing into $(VENV_DUCKDB_1)"
	@$(PYTHON) -m venv --clear --without-pip $(VENV_DUCKDB_1)
	@$(VENV)/bin/python -m pip --python $(VENV_DUCKDB_1) install $(PIP_OPTIONS) -r requirements/duckdb-1.txt
	@cd $(VENV_DUCKDB_1)/lib/python*/site-packages && $(CURDIR)/$(VENV)/bin/python -c \
	  'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' > after.pth
	@touch $@

# The pins without numba and its dependencies.
$(VENV_OLDEST)/dev: pyproject.toml $(DEV_PINS) requirements/duckdb-1.txt requirements/oldest.txt
	@echo "Installing into $(VENV_OLDEST)"
	@$(PYTHON) -m venv $(VENV_OLDEST)
	@$(VENV_OLDEST)/bin/python $(PIP_INSTALL) -r requirements/dev.txt -r requirements/duckdb-1.txt
	@$(VENV_OLDEST)/bin/python $(PIP_INSTALL) --no-deps -r requirements/oldest.txt
	@$(VENV_OLDEST)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/docs: $(VENV)/dev requirements/docs.txt
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/docs.txt
	@touch $@

# dbt needs older packages than the rest, so it has its own pins.
$(VENV_DBT)/dev: pyproject.toml requirements/dbt.txt requirements/duckdb-2.txt
	@echo "Installing into $(VENV_DBT)"
	@$(PYTHON) -m venv $(VENV_DBT)
	@$(VENV_DBT)/bin/python $(PIP_INSTALL) -r requirements/dbt.txt -r requirements/duckdb-2.txt
	@$(VENV_DBT)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV_BENCH)/bench: pyproject.toml requirements/bench.txt requirements/duckdb-2.txt
	@echo "Installing into $(VENV_BENCH)"
	@$(PYTHON) -m venv $(VENV_BENCH)
	@$(VENV_BENCH)/bin/python $(PIP_INSTALL) -r requirements/bench.txt -r requirements/duckdb-2.txt
	@$(VENV_BENCH)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
