# Two commands: `make match` plays a match, `make test` checks and tests everything. Each sets up
# .venv first; later runs find it complete.

PYTHON ?= python3
VENV := .venv/bin
ARGS ?=
PROCESSES ?= 2
PROFILE ?= qwen
FAULTS ?= 1000
TRIALS ?= 36
SEED ?= 1
SAMPLE ?= 240
LOCK ?=
ENVIRONMENT := $(PYTHON) serving/environment.py

ifndef ARENA_SAMPLE_DATA
ifneq ($(wildcard ../shared/data),)
export ARENA_SAMPLE_DATA := $(abspath ../shared/data)
endif
endif

# Where Python writes no compiled files, every process of the tests compiles the whole program anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: match test types units engines quick check style fix coverage mutants serve campaign campaign-cluster gpu-check lock host environment clean

match: host
	@$(VENV)/arena match --civ qwen --murderer naive --preset short $(ARGS)

# Types, tests, and tests with an engine or a browser run at the same time, since an engine often
# waits; the output of each is printed when it ends.
test: style
	@echo "types, tests, and tests with engines and browsers run at the same time (19 to 25 minutes on two cores)"
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target types units engines

types:
	@$(VENV)/pyright --warnings

# Files in the order of collection: tests/conftest.py puts the slow ones first. Arrays are
# computed in one thread a process, since the other cores have their own processes.
units quick: export OMP_NUM_THREADS := 1
units:
	@$(VENV)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder \
		-m "not engine and not browser" $(ARGS)

# One by one: each engine needs memory.
engines:
	@$(VENV)/python -m pytest -m "engine or browser" $(ARGS) || [ $$? -eq 5 ]

# While working: without engines, browsers and slow tests.
quick: environment
	@$(VENV)/ruff check --quiet
	@$(VENV)/python -m pytest -q -n $(PROCESSES) --dist loadfile -m "not (engine or browser or slow)" $(ARGS)

check: style
	@$(MAKE) --no-print-directory types

style: environment
	@$(VENV)/ruff check --quiet
	@$(VENV)/ruff format --check --quiet

fix: environment
	@$(VENV)/ruff check --fix
	@$(VENV)/ruff format

# Branches of games and players that their own tests do not reach.
coverage: environment
	@$(VENV)/coverage run -m pytest -q tests/arena/games tests/arena/players $(ARGS)
	@$(VENV)/coverage report

# Small faults in the rules, and whether their tests notice: SAMPLE of them, drawn with SEED.
mutants: environment
	@PYTHONHASHSEED=0 $(VENV)/python -m tests.mutation --sample $(SAMPLE) --seed $(SEED) --processes $(PROCESSES) $(ARGS)

serve: host
	@$(VENV)/arena serve $(PROFILE)

campaign: environment
	@$(VENV)/python -m tests.campaign --faults $(FAULTS) --seed $(SEED) $(ARGS)

# The same for workers of a cluster: half a minute a trial.
campaign-cluster: environment
	@$(VENV)/python -m tests.arena.cluster.campaign --trials $(TRIALS) --seed $(SEED) $(ARGS)

# Everything that only a GPU can show, in steps; a second call runs the steps without a result.
# OUT is the folder of the results. Without a GPU the stand-ins rehearse every step.
gpu-check: environment
	@$(VENV)/arena bench gpu $(if $(OUT),--out $(OUT)) $(ARGS)

# Resolve the locked versions and hashes again; LOCK=--upgrade takes the newest versions.
lock: environment
	@$(VENV)/python -m serving.locks $(LOCK)

# The packages for matches; and these with the tools for checks and tests.
host:
	@$(ENVIRONMENT)

environment:
	@$(ENVIRONMENT) --extra dev

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
