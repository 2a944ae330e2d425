# All commands of the project; `make` without a target lists them. PYTHON=… chooses the interpreter.
PYTHON ?= python3
VENV := .venv
DUCKDB_1 := .duckdb-1
VENV_DBT := .venv-dbt
VENV_OLDEST := .venv-oldest
VENV_BENCH := .venv-bench
VENV_NEWEST := .venv-newest
EMULATORS := .venv-bqemulator .venv-fakesnow
VENVS_GENERATORS := .venv-generators .venv-generators-engine .venv-generators-diffusion
DEV_PINS := requirements/build.txt requirements/runtime.txt requirements/dev.txt
# Bytecode is compiled on first import: compiling all modules would take as long as installing them.
PIP_OPTIONS := --quiet --disable-pip-version-check --no-compile
PIP_INSTALL := -m pip install $(PIP_OPTIONS)
# Environments are created, and checks run, two at a time.
MAKEFLAGS += --jobs=2
# Python images for containers often set this: each process that a test starts would then compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
DBT_TESTS := tests/surfaces/test_dbt.py
KERNEL_TESTS := tests/kernels
FAST_TESTS := tests/kernels tests/udf $(addprefix tests/planner/test_,catalog.py files_in_duckdb.py reading_headers.py templates.py) \
	$(addprefix tests/functions/distances/test_,copies.py edges.py scaling.py) \
	$(addprefix tests/functions/disclosure/test_,discernibility.py quasi_identifiers.py) \
	$(addprefix tests/functions/membership/test_,screening.py exposing.py) \
	$(addprefix tests/surfaces/cli/test_,completion.py errors.py gate.py)
# With the newest dependencies: every function on every surface, groups, calls in a row, and a test of each extra.
NEWEST := .[delta,docx,excel,iceberg,polars,postgres,report] hypothesis openpyxl 'pytest<9.2' pytest-timeout pytest-xdist
NEWEST_TESTS := $(addprefix tests/engines/test_,calls_in_a_row.py shared_plan.py) tests/engines/files/test_excel.py \
	$(addprefix tests/surfaces/test_surfaces.py::test_,sql_gives_the_rows_of_python the_command_line_gives_the_rows_of_python) \
	tests/engines/files/test_lake.py::test_the_printed_sql_reads_the_same_rows \
	tests/surfaces/report/test_decision.py::test_files_hold_all_of_it_and_no_value_of_a_row
# Processes that share the tests; memory for a session of each is all that more of them take.
WORKERS ?= 2
NO_SKIPS := $(if $(filter true,$(CI)),-p no_skips)
PYTEST := -m pytest $(NO_SKIPS) -q -p no:cacheprovider --durations=15 --durations-min=5
SPREAD = --numprocesses=$(WORKERS) --dist=loadgroup --no-loadscope-reorder
# `make nightly` asks every case, and hypothesis for more examples, also in the tests of `make test`.
MORE := HYPOTHESIS_PROFILE=$(if $(EVERY_CASE),nightly,ci) PYTHONPATH=tests/plugins
LATER := $(if $(EVERY_CASE),slow or hypothesis,slow and not nightly)
PLUGINS := PYTHONPATH=tests/plugins

.PHONY: help demo test test-all nightly test-slow test-duckdb-1 test-apart test-dbt test-fast test-oldest test-newest attack warm methods messages shown picture lint types docs bench tune generated peers profile build pins clean

help: ## List the commands
	@awk -F ': .*## ' '/^[a-z-]+: .*## /{printf "make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/runtime ## Generate customers and three synthetic tables, two of which leak, and evaluate them
	@$(VENV)/bin/synthpriv demo

test: lint types warm ## Run ruff, mypy and the tests that need nothing large, in eight to twelve minutes of two cores
	@$(PLUGINS) $(VENV)/bin/python $(PYTEST) $(SPREAD) -m "not slow"

# One after another: each takes all cores.
test-all: ## Run the other tests: DuckDB 1, the newest dependencies, Spark, ClickHouse, dbt, browser, documentation, more cases of each kind
	@$(MAKE) --no-print-directory --jobs=1 --keep-going docs test-slow attack test-duckdb-1 test-apart

nightly: ## Run make test-all with every case of Spark and conformance
	@EVERY_CASE=1 $(MAKE) --no-print-directory test-all

# Spark waits more than it works: beside it, two others have the cores.
test-slow: WORKERS = 3
test-slow: warm $(VENV)/all $(addsuffix /server,$(EMULATORS))
	@$(MORE) $(VENV)/bin/python $(PYTEST) $(SPREAD) -m "$(LATER)"

# Only what can differ there; every case of it by `make nightly`.
test-duckdb-1: warm $(VENV)/all $(DUCKDB_1)/dev
	@PYTHONPATH=$(CURDIR)/$(DUCKDB_1):tests/plugins $(VENV)/bin/python $(PYTEST) $(SPREAD) -m "duckdb_1 and ($(if $(EVERY_CASE),again or nightly or )not slow)"

# Both install more than they compute.
test-apart:
	@$(MAKE) --no-print-directory --jobs=2 --keep-going test-dbt test-newest

test-dbt: warm $(VENV_DBT)/dev
	@$(PLUGINS) $(VENV_DBT)/bin/python $(PYTEST) $(DBT_TESTS)

# Compiled once, for all processes and environments.
warm: .warm.log

.warm.log: $(VENV)/dev $(shell find synthpriv_sql/kernels -name '*.py')
	@$(VENV)/bin/synthpriv warm > $@ 2>&1 || { cat $@; rm $@; exit 1; }

test-fast: warm ## Run the tests of functions, kernel and surfaces that take least, in 90 seconds
	@$(PLUGINS) $(VENV)/bin/python $(PYTEST) $(SPREAD) -m "not slow" $(FAST_TESTS)

test-oldest: $(VENV_OLDEST)/dev ## Run the tests of what numba does not promise, and of its products, with the oldest numba allowed
	@$(PLUGINS) $(VENV_OLDEST)/bin/python $(PYTEST) $(addprefix $(KERNEL_TESTS)/test_,private.py brute.py)

test-newest: ## Run a short suite with the newest release of every dependency, whatever the pins say
	@test -x $(VENV_NEWEST)/bin/python || $(PYTHON) -m venv $(VENV_NEWEST)
	@echo "Installing the newest dependencies into $(VENV_NEWEST)"
	@$(VENV_NEWEST)/bin/python $(PIP_INSTALL) --upgrade --upgrade-strategy eager $(NEWEST)
	@$(PLUGINS) $(VENV_NEWEST)/bin/python $(PYTEST) $(SPREAD) $(NEWEST_TESTS)

attack: warm ## Attack it again: kills, full disks, threads, hostile texts, odd types, damaged files, in five minutes
	@$(PLUGINS) $(VENV)/bin/python $(PYTEST) $(SPREAD) -m attack tests/attack

lint: $(VENV)/dev ## Check the style with ruff, and that the rooms of the package import downwards only
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/lint-imports --no-logo --no-cache > .imports.log || { cat .imports.log; exit 1; }

methods: $(VENV)/runtime ## Generate files from the headers of sql/: the stub of the methods of a Session, and lists of files
	@$(VENV)/bin/python tools/methods.py

messages: $(VENV)/runtime ## Update the catalogs of other languages with the messages in the source
	@$(VENV)/bin/python tools/messages.py

shown: warm $(VENV)/all ## Update the output that README.md and docs/ show; PAGES="tutorial.md text.md"
	@$(if $(PAGES),,PYTHONPATH=tests/plugins:tests/helpers $(VENV)/bin/python tests/docs/test_readme.py)
	@PYTHONPATH=tests/plugins:tests/helpers $(VENV)/bin/python tests/docs/test_docs.py $(PAGES)

picture: $(VENV)/dev ## Take the picture of the report page that README.md shows again; needs Chromium
	@$(VENV)/bin/python tools/picture.py

types: $(VENV)/dev ## Check the types with mypy
	@$(VENV)/bin/mypy

docs: $(VENV)/docs ## Build the documentation into site/; every link must lead somewhere
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --quiet --strict

bench: $(VENV_BENCH)/bench ## Run the benchmarks of this package and its peers into benchmarks/results/; CASES="adult acs" OPTIONS=--quick
	@$(VENV_BENCH)/bin/python -m benchmarks $(CASES) $(OPTIONS)

tune: $(VENV)/dev ## Measure the constants by which a search chooses its way, beside those in the source
	@$(VENV)/bin/python -m benchmarks.tune

generated: $(addsuffix /generators,$(VENVS_GENERATORS)) ## Make tables with published generators for CASES=generators (hours); OPTIONS="--source adult --size 1000 --splits 1"
	@for size in 1000 5000; do for venv in $(VENVS_GENERATORS); do \
		$$venv/bin/python -m benchmarks.generators --size $$size $(OPTIONS); done; done

peers: $(VENV_BENCH)/bench ## Run other tools to update the numbers that the tests of sql/peers/ compare with
	@$(VENV_BENCH)/bin/python -m benchmarks.others

profile: $(VENV_BENCH)/bench ## Profile a search; CASE=adult, acs, numbers or mixed
	@$(VENV_BENCH)/bin/python -m benchmarks --profile $(or $(CASE),adult) $(OPTIONS)

build: $(VENV)/runtime ## Build the wheel and the source distribution into dist/
	@$(VENV)/bin/python -m hatchling build

pins: ## Update requirements/*.txt from pyproject.toml
	@requirements/pin

clean: ## Remove the environments, the builds and the caches
	rm -rf $(VENV) $(DUCKDB_1) $(VENV_DBT) $(VENV_OLDEST) $(VENV_BENCH) $(VENV_NEWEST) $(VENVS_GENERATORS) $(EMULATORS) dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .warm.log
	find synthpriv_sql tests -name __pycache__ -prune -exec rm -rf {} +

# The files below mark an environment as complete; a changed pin makes them stale.
$(VENV)/runtime: pyproject.toml requirements/build.txt requirements/runtime.txt requirements/duckdb-2.txt
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=...")'
	@echo "Installing into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/runtime.txt -r requirements/duckdb-2.txt
	@$(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev: $(VENV)/runtime $(DEV_PINS)
	@echo "Installing the dependencies of the checks into $(VENV)"
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/dev.txt -r requirements/duckdb-2.txt
	@touch $@

$(VENV)/all: $(VENV)/dev requirements/all.txt
	@echo "Installing what make test-all needs into $(VENV)"
	@$(VENV)/bin/python $(PIP_INSTALL) -r requirements/all.txt
	@touch $@

# A folder before $(VENV) on the path, which has all else.
$(DUCKDB_1)/dev: $(VENV)/dev requirements/duckdb-1.txt
	@rm -rf $(DUCKDB_1)
	@$(VENV)/bin/python $(PIP_INSTALL) --target $(DUCKDB_1) -r requirements/duckdb-1.txt
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

# Generators need packages that contradict each other, and those of this project. Tables need neither images nor sound,
# whose packages may be built for another torch, and then stop transformers from being imported: only those that the
# requirements name stay.
.venv-%/generators: requirements/%.txt
	@echo "Installing into .venv-$*"
	@$(PYTHON) -m venv .venv-$*
	@.venv-$*/bin/python $(PIP_INSTALL) -r $<
	@for package in torchvision torchaudio; do \
		grep -q "^$$package" $< || .venv-$*/bin/python -m pip uninstall --yes -qq $$package; done
	@touch $@

# Emulators of warehouses are servers: their pins contradict those of this project.
.venv-%/server: requirements/%.txt
	@echo "Installing into .venv-$*"
	@$(PYTHON) -m venv .venv-$*
	@.venv-$*/bin/python $(PIP_INSTALL) -r $<
	@touch $@

$(VENV_BENCH)/bench: pyproject.toml requirements/bench.txt requirements/duckdb-2.txt
	@echo "Installing into $(VENV_BENCH)"
	@$(PYTHON) -m venv $(VENV_BENCH)
	@$(VENV_BENCH)/bin/python $(PIP_INSTALL) -r requirements/bench.txt -r requirements/duckdb-2.txt
	@$(VENV_BENCH)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
