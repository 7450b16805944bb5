# The commands of the house. A fresh machine needs Python 3.11 or newer, and make.
#   make run      set up, run the drill, serve          make test       the tests
#   make drill    the acceptance drill alone            make test-real  real servers, browser (Debian, root)
#   make stop     end what runs, PostgreSQL too         make lint       style, types, floors, translations
#   make test-slow  what waits for real timers and kills whole houses; part of make test-real
#   make bench    how fast                              make faults     what it survives
#   make bench-api  how fast programs are served
#   make bench-web  how fast the pages are on a million actions
#   make bench-costs  accounting on a million entries
#   make bench-proxy  how much longer requests take through the proxy of vendors' drills
#   make n8n      what a real n8n leaves in the target, with and without ONCE
#   make clean    delete the environment; the data stays (make clean-data deletes it)

SHELL := /bin/sh
PY := .venv/bin/python
# the first interpreter that is new enough; PYTHON=/path/to/python overrides
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
# the environment follows the requirements: another content, another stamp
RUN_STAMP := .venv/.run-$(shell cat requirements.txt constraints.txt | cksum | tr ' ' '-')
DEV_STAMP := .venv/.dev-$(shell cat requirements.txt requirements-dev.txt constraints.txt | cksum | tr ' ' '-')
PIP := $(PY) -m pip install -qq --disable-pip-version-check --no-warn-script-location -c constraints.txt
ARGS ?=

.PHONY: run drill test test-slow test-real lint format bench bench-api bench-web bench-costs bench-proxy faults n8n stop clean clean-data messages constraints
.DEFAULT_GOAL := run

run: $(RUN_STAMP)
	@$(PY) manage.py serve $(ARGS)

drill: $(RUN_STAMP)
	@$(PY) manage.py serve --only-drill -- $(ARGS)

test: $(DEV_STAMP)
	@$(PY) -m pytest -n 2 -m "not slow" $(ARGS)

test-slow: $(DEV_STAMP)
	@$(PY) -m pytest -n 2 -m slow $(ARGS)

test-real: $(DEV_STAMP)
	@[ -n "$(ARGS)" ] || $(PY) -m pytest -n 2 -m slow
	@tests/real/install-servers
	@$(PY) -m pytest tests/real tests/browser $(ARGS)

lint: $(DEV_STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/lint-imports --cache-dir .cache/import-linter
	git ls-files -z -- '*.html' | xargs -0 -r .venv/bin/djade --target-version 5.2 --check
	$(PY) -m mypy --cache-dir .cache/mypy .
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py messages --check
	$(PY) manage.py check --fail-level WARNING

format: $(DEV_STAMP)
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	git ls-files -z -- '*.html' | xargs -0 -r .venv/bin/djade --target-version 5.2

messages: $(DEV_STAMP)
	@$(PY) manage.py messages --update

bench-api: $(DEV_STAMP)
	@$(PY) -m bench.api $(ARGS)

bench: $(DEV_STAMP)
	@$(PY) -m bench.ledger $(ARGS)

bench-web: $(DEV_STAMP)
	@$(PY) -m bench.web $(ARGS)

bench-proxy: $(DEV_STAMP)
	@$(PY) -m bench.proxy $(ARGS)

bench-costs: $(DEV_STAMP)
	@$(PY) -m bench.accounting $(ARGS)

faults: $(DEV_STAMP)
	@$(PY) -m tests.faults $(ARGS)

n8n: $(DEV_STAMP)
	@$(PY) -m tests.real.n8n $(ARGS)

stop:
	@[ ! -x $(PY) ] || $(PY) manage.py stop

clean: stop
	rm -rf .venv .cache

clean-data:
	@[ ! -x $(PY) ] || $(PY) manage.py stop --delete
	rm -rf .once

# only the direct requirements decide; what they bring is written down
constraints:
	rm -rf .cache/constraints
	$(PYTHON) -m venv .cache/constraints
	.cache/constraints/bin/python -m pip install --quiet -r requirements-dev.txt
	(head -1 constraints.txt; .cache/constraints/bin/python -m pip freeze) > .cache/constraints.txt
	mv .cache/constraints.txt constraints.txt
	rm -rf .cache/constraints

$(RUN_STAMP): | .venv/bin/python
	@echo "Installing what requirements.txt lists …"
	@$(PIP) -r requirements.txt
	@rm -f .venv/.run-* && touch $@

$(DEV_STAMP): | .venv/bin/python
	@echo "Installing what requirements-dev.txt lists …"
	@$(PIP) -r requirements-dev.txt
	@rm -f .venv/.dev-* && touch $@

.venv/bin/python:
	@[ -n "$(PYTHON)" ] || { echo "Python 3.11 or newer is needed. 需要 Python 3.11 或更新版本。"; exit 1; }
	@echo "Making the virtual environment with $(PYTHON) …"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo "Python's venv is missing (Debian: apt install python3-venv). 缺少 venv 模块。"; exit 1; }
