# `make demo` shows it, `make test` proves it; both do all their set-up themselves.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Debian keeps mosquitto where the path of an ordinary user does not look.
export PATH := $(PATH):/usr/sbin:/sbin

bin := .venv/bin
others := tests/interop/node_modules/.package-lock.json
programs := mosquitto mosquitto-clients chromium fonts-noto-cjk openssl systemd
core := tests/table tests/timing tests/scoring
# Journeys wait in real time, so two workers play them while the others do the rest.
side_by_side := --numprocesses=4 --dist=loadgroup
locked := --quiet --strip-extras --allow-unsafe --generate-hashes --build-deps-for=editable \
	--no-emit-index-url --no-emit-options

.PHONY: help
help: ## Print this list.
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 14

.PHONY: setup
setup: .venv/dev.stamp ## Make .venv with everything that tests and linters need.
	@echo ".venv is ready."

.PHONY: demo
demo: .venv/run.stamp ## Show simulated tables, broker, daemon and board (RULES=wsom-2010); Ctrl-C ends it.
	@$(bin)/tablewarden demo $(if $(RULES),--rules $(RULES)) $(ARGS)

.PHONY: test
test: .venv/dev.stamp $(others) ## Run every test but the long ones.
	@.ci/packages $(programs)
	@$(bin)/python -m pytest --quiet $(side_by_side) $(ARGS)

.PHONY: long
long: .venv/dev.stamp $(others) ## Run the full figures and write them to docs/long.md.
	@.ci/packages $(programs)
	@$(bin)/python -m pytest --quiet --hypothesis-profile=long --timeout=1800 $(core)
	@$(bin)/python -m pytest --quiet --hypothesis-profile=long -m long $(ARGS)

.PHONY: check
check: lint ## Run the linters and the tests of the core.
	@$(bin)/python -m pytest --quiet $(core)

.PHONY: lint
lint: .venv/dev.stamp ## Run formatter, linter, type checker and import contracts.
	@$(bin)/ruff format --check --quiet .
	@$(bin)/ruff check --quiet .
	@$(bin)/mypy --no-error-summary
	@$(bin)/lint-imports --no-logo

.PHONY: bench
bench: .venv/dev.stamp ## Measure the budgets beside their floors and write docs/performance.md.
	@.ci/packages mosquitto gcc libc6-dev libmosquitto-dev
	@$(bin)/python -m tests.bench $(ARGS)

.PHONY: lock
lock: export CUSTOM_COMPILE_COMMAND := make lock
lock: build/lock/bin/pip-compile ## Write both lock files anew, with the newest versions allowed.
	@$< $(locked) --upgrade --extra=broker --output-file=requirements.lock pyproject.toml
	@$< $(locked) --upgrade --extra=dev --constraint=requirements.lock \
		--output-file=requirements-dev.lock pyproject.toml

build/lock/bin/pip-compile:
	@python3 -m venv build/lock
	@build/lock/bin/pip install --quiet pip-tools

.venv/run.stamp: requirements.lock pyproject.toml .ci/venv
	@echo "Installing into .venv what requirements.lock names."
	@.ci/venv requirements.lock
	@touch $@

.venv/dev.stamp: requirements-dev.lock .venv/run.stamp
	@echo "Installing into .venv what requirements-dev.lock names."
	@.ci/venv requirements-dev.lock
	@touch $@

# What other people speak MQTT and AsyncAPI with; npm writes the target itself.
$(others): tests/interop/package-lock.json
	@.ci/packages nodejs npm
	@echo "Installing into tests/interop/node_modules what its package-lock.json names."
	@npm ci --prefix tests/interop --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
