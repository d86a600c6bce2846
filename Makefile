# Needs only make and Python 3.11 or newer; everything else goes into .venv.
# Another Python:  make install PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PACKAGE := $(VENV)/.package
MADE := $(VENV)/.made

# One test file stays in one process, so that its kernels are compiled once.
PYTEST_ARGS ?= -n auto --maxprocesses=4 --dist=loadfile

# Contact problems to compare the solvers on (.hdf5 and .dat, in the folder or one level below).
TRUNDLE_PROBLEMS ?= ../shared/problems
PROBLEM_FILES = $(sort $(foreach kind,hdf5 dat,$(wildcard $(TRUNDLE_PROBLEMS)/*.$(kind) $(TRUNDLE_PROBLEMS)/*/*.$(kind))))
BENCH_ARGS ?=

# What the kernels of a wheel are compiled for, such as: make wheel PACK_KINDS="sphere box".  All that `trundle warm` knows if empty.
PACK_KINDS ?=

# Such as --seed 1 --scale 0.1 --only damage kills.
FAULTS_ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install test quick faults lint format demo bench docs gallery page wheel minimum clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

install: $(STAMP) ## set up .venv with trundle and the tools (again only when pyproject.toml changed)

# An environment with pip in it.
$(MADE):
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "error: no '$(PYTHON)' found. trundle needs Python 3.11 or newer: make install PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: $$("$(PYTHON)" --version) is too old. trundle needs Python 3.11 or newer: make install PYTHON=python3.12" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "error: this Python cannot make virtual environments (module venv or ensurepip is missing)." >&2; \
	  echo "  Debian, Ubuntu: apt install python3-venv.  Or use another Python: make install PYTHON=python3.12" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv $(VENV)
	@touch $@

$(STAMP): pyproject.toml | $(MADE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(PACKAGE)

# The package without the tools of those who work on it; only files that are imported are compiled to bytecode, then.
$(PACKAGE): pyproject.toml | $(MADE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e .
	@touch $@

test: $(STAMP) ## run all tests
	OPENBLAS_NUM_THREADS=$${OPENBLAS_NUM_THREADS:-1} MPLBACKEND=Agg $(BIN)/python -m pytest $(PYTEST_ARGS)

quick: $(STAMP) ## run the tests that are not marked slow
	OPENBLAS_NUM_THREADS=$${OPENBLAS_NUM_THREADS:-1} MPLBACKEND=Agg $(BIN)/python -m pytest $(PYTEST_ARGS) -m "not slow"

faults: $(STAMP) ## damage, kill and starve runs for about an hour: the table of docs/reliability.md
	NUMBA_NUM_THREADS=4 OPENBLAS_NUM_THREADS=1 MPLBACKEND=Agg $(BIN)/python tests/faults/laboratory.py $(FAULTS_ARGS)

lint: $(STAMP) ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

demo: $(PACKAGE) ## pour a pile with and without rolling friction, into out/demo.png
	$(BIN)/trundle demo

bench: $(STAMP) ## compare all solvers on the files in TRUNDLE_PROBLEMS, into out/bench
	@test -n "$(PROBLEM_FILES)" || { \
	  echo "error: no .hdf5 or .dat files in '$(TRUNDLE_PROBLEMS)'. Say where they are: make bench TRUNDLE_PROBLEMS=folder" >&2; exit 1; }
	@mkdir -p out/bench
	$(BIN)/trundle compare $(PROBLEM_FILES) -o out/bench/profile.png $(BENCH_ARGS)

docs: $(STAMP) ## build the documentation site into out/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q
	@echo "open out/site/index.html"

gallery: $(STAMP) ## run the examples, collect figures of `trundle reproduce` from out: the pictures of the documentation
	$(BIN)/python docs/pictures/gallery.py
	$(BIN)/python docs/pictures/papers.py out

page: ## build the viewer's page from web/ (needs node; its result is committed)
	cd web && npm ci --no-audit --no-fund && npm run build

wheel: $(STAMP) ## build sdist and wheel with compiled kernels (x86-64-v3 and v4) into dist; 10 minutes on two cores
	$(BIN)/python packaging/make_pack.py build/kernel_pack $(PACK_KINDS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	TRUNDLE_KERNEL_PACK=$(CURDIR)/build/kernel_pack $(BIN)/python -m build --outdir dist .
	@ls -l dist

minimum: $(MADE) ## run the quick tests with the oldest versions of the dependencies that are allowed, in .venv-minimum
	"$(PYTHON)" -m venv .venv-minimum
	.venv-minimum/bin/python packaging/minimum.py > .venv-minimum/constraints.txt
	.venv-minimum/bin/python -m pip install --quiet --disable-pip-version-check -c .venv-minimum/constraints.txt -e '.[test,sweep]'
	OPENBLAS_NUM_THREADS=1 MPLBACKEND=Agg .venv-minimum/bin/python -m pytest $(PYTEST_ARGS) -m "not slow" tests/laws tests/contact tests/solve tests/step tests/scene

clean: ## remove caches, builds and benchmark output (keeps .venv)
	rm -rf build dist out/bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -path ./$(VENV) -prune -o -name '*.egg-info' -type d -prune -exec rm -rf {} +
