# Sticker Pit. `make run` serves the page, `make test` checks everything; both install what is
# missing on Debian first. `make help` lists the rest.

PORT ?= 8080
SCENE ?= pit
DATA ?= .run/data/$(SCENE)
TLS ?=
ARGS ?=
REFERENCE ?=
PLAY_SEEDS ?= 5000
REPLICA_SEEDS ?= 200
REPLICA_FIRST ?= 1000
REPLICA_TICKS ?= 7200
CLUSTER_SEEDS ?= 2000
CLUSTER_FIRST ?= 1000
SOAK_BOTS ?= 300
SOAK_SECONDS ?= 600
KILLS ?= 100
TRIALS ?= 10000
STAGE_MINUTES ?= 60
SWIFT_BUILD_FLAGS ?=
SERVER := .build/release/stickerpit
# One build for the server and for its tests, which see more than what is public by the flag: what is
# tested is what runs, and nothing is built twice. A step of the physics takes as many instructions without
# it (`make bench-counts`); the rest was not compared.
RELEASE := -c release -Xswiftc -enable-testing
SWIFT_TEST := swift test $(RELEASE) --skip-build $(SWIFT_BUILD_FLAGS)
SOAK_LOGS := $(abspath .run/soak-fleet-logs)
PYTHON := .venv/bin/python

# With TLS=1 `make run` has the server make its own certificate; soaks get one whose files they know.
ifneq ($(filter-out 0 no,$(TLS)),)
TLS_FLAGS := --tls-cert .run/tls/certificate.pem --tls-key .run/tls/key.pem
RUN_TLS_FLAGS := --tls-self-signed
TLS_FILES := certificate
endif

# One step after the other, so that what is printed can be followed.
.NOTPARALLEL:
.PHONY: run build build-tests web setup-run setup-lint setup-test setup-bench setup-deb build-static deb dist bench-module test test-swift test-debug test-node test-consumer test-outside test-long bench-physics bench-codec bench-replica bench-page bench-first bench-fanout bench-slow bench-restart bench-cluster bench-journal bench-counts train-codec fuzz soak soak-replicas soak-cluster soak-play soak-server soak-journal soak-disk soak-stage soak-thread soak-address pictures docs lint format \
  bots clean help
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: build web ## build and serve the page (PORT=8080, TLS=1 for phones, ARGS='--bodies 200', DATA= to keep nothing)
	@exec $(SERVER) serve --port $(PORT) --web web --scene $(SCENE) $(if $(DATA),--data $(DATA)) $(RUN_TLS_FLAGS) $(ARGS)

build: setup-run ## build the release server
	@echo "==> building the server (release)"
	@swift build $(RELEASE) --product stickerpit $(SWIFT_BUILD_FLAGS)

# `swift test` would build them by itself, but gives the flag a second time and so builds everything anew.
build-tests: setup-run
	@echo "==> building the server and its tests (release)"
	@swift build $(RELEASE) --build-tests $(SWIFT_BUILD_FLAGS)

web: setup-run ## build web/pit.wasm, the page's WebAssembly module, and the list and the compressed files that go with the page's
	@echo "==> building web/pit.wasm"
	@./scripts/build-module
	@./scripts/compress-web

# With Swift's runtime in the program, because no Debian package has it; in a folder of its own, so that
# the other builds stay as they are.
build-static: setup-run
	@echo "==> building the server (release, with Swift's runtime in it)"
	@swift build -c release --product stickerpit --static-swift-stdlib --scratch-path .build-static \
	  $(SWIFT_BUILD_FLAGS)

# Whatever older package is there goes: README says "apt install ./.build-static/deb/*.deb".
deb: setup-deb build-static web ## a Debian package of the server, with units, in .build-static/deb
	@echo "==> building the Debian package"
	@rm -f .build-static/deb/*.deb
	@./scripts/package-deb

dist: setup-deb build-static web ## archives of the sources and the server, sums and a bill of materials, in .build-static/dist
	@echo "==> making the archives"
	@rm -rf .build-static/dist
	@./scripts/dist

test: lint test-swift test-debug test-node test-consumer docs test-outside ## everything but what takes long: test-long and soak
	@echo "==> all tests passed"

lint: setup-lint .venv/bin/deno ## formatting, and the types of the page's code, strictly
	@echo "==> checking the formatting"
	@swift format lint --strict --parallel --recursive Sources Tests Package.swift
	@echo "==> checking the types of the page's code"
	@./scripts/check-page

format: ## rewrite the sources in the project's format
	@swift format --in-place --parallel --recursive Sources Tests Package.swift

# The fleets leave their logs, and node runs them again; where it was told of them, none may be missing.
# They are 25, five in each scene. Not named STICKERPIT_…: a server refuses variables of that name that
# it does not know.
test test-swift: export FLEET_LOGS := $(abspath .run/fleet-logs)
test test-swift: export FLEET_TRACES := $(abspath .run/fleet-traces)

test-swift: build-tests web ## unit and integration tests, release build
	@echo "==> Swift tests (release)"
	@rm -rf .run/fleet-logs $(FLEET_TRACES)
	@mkdir -p .run/fleet-logs $(FLEET_TRACES)
	@$(SWIFT_TEST)
	@echo "==> the same runs in another process"
	@$(SWIFT_TEST) --filter oneSeedIsOneRunInEveryProcess

test-debug: setup-run ## golden hashes again in a debug build, of the core only (Package.swift)
	@echo "==> golden hashes (debug)"
	@CORE_ONLY=1 swift test --filter Golden --scratch-path .build-debug $(SWIFT_BUILD_FLAGS)

bench-module: setup-run
	@echo "==> building the WebAssembly module of the tests"
	@./scripts/build-module bench

test-node: web bench-module ## the browser's modules under node: exports, golden hashes, the fleets' logs after test-swift
	@echo "==> WebAssembly under node"
	@node --test Tests/Node/

test-consumer: setup-run ## a package outside ours that depends on Dynamics and Physics
	@echo "==> an outside package builds on Dynamics"
	@./scripts/test-consumer

test-outside: build web bench-module setup-test .venv/installed ## real server: a foreign client, a real browser
	@echo "==> real server, foreign client, real browser"
	@STICKERPIT=$(abspath $(SERVER)) $(PYTHON) Tests/outside.py

# Packages, archives and a Debian in which they are installed, whole matrices, clusters under faults.
test-long: build web bench-module setup-test .venv/installed ## what `make test` leaves out: packages and deploy/README.md on a Debian of its own, clusters under faults, all scenes and sets
	@echo "==> real server, foreign client, real browser: what takes long"
	@STICKERPIT=$(abspath $(SERVER)) $(PYTHON) -m pytest -q --timeout 1800 -m long Tests/Interop Tests/Browser Tests/Deploy

bench-physics: setup-bench build bench-module ## compare the physics with Debian's engines, write BENCHMARKS.md
	@python3 Benchmarks/physics/run.py

bench-counts: setup-bench build ## instructions that a step takes, compared with BENCHMARKS.md (ARGS=--write puts them there)
	@python3 Benchmarks/counts/run.py $(ARGS)

bench-codec: setup-bench build web bench-module .venv/bench-codec ## compare the state stream with its rivals (REFERENCE=DIR adds the reference codec)
	@$(PYTHON) Benchmarks/codec/run.py $(if $(REFERENCE),--reference $(REFERENCE))

bench-replica: setup-bench build ## the log of a party: bits, hashes, rollbacks and what they cost natively
	@python3 Benchmarks/replica/run.py $(ARGS)

bench-page: setup-test build web .venv/installed ## what script a picture costs a page that runs the world itself, in Chromium
	@$(PYTHON) Benchmarks/page/run.py

bench-first: setup-test build web .venv/installed ## the first second: first move, first sticker on a slow phone, back after a lock and from a hidden tab (on an idle machine; ARGS='--only hidden')
	@$(PYTHON) Benchmarks/first/run.py $(ARGS)

bench-fanout: setup-bench build web ## what a frame costs for each client, beside a bare loop (ARGS=--matrix: every size once, --full: all; UWEBSOCKETS=DIR adds it)
	@python3 Benchmarks/fanout/run.py $(ARGS)

bench-slow: setup-bench build web ## how old the frames are that slow readers read, which it judges, and what others notice of them
	@python3 Benchmarks/slow/run.py $(ARGS)

bench-restart: setup-bench setup-test build web certificate ## how long it takes until everybody is back after a restart (ARGS='--tls --counts 4000')
	@python3 Benchmarks/restart/run.py $(ARGS)

bench-cluster: build web setup-test .venv/installed ## what sharing a world over NATS adds to a tilt's way, and how fast it heals
	@$(PYTHON) Benchmarks/cluster/run.py $(ARGS)

bench-journal: setup-bench build web ## what the journal costs the server, and how fast it is read back
	@python3 Benchmarks/journal/run.py $(ARGS)

train-codec: setup-bench build .venv/bench-codec ## train the codec's tables anew (REFERENCE=DIR adds its training traces)
	@$(PYTHON) Benchmarks/codec/train.py $(if $(REFERENCE),--reference $(REFERENCE))

.venv/bench-codec: Benchmarks/codec/requirements.txt | setup-bench
	@echo "==> Python packages for the codec's rivals"
	@python3 -m venv .venv
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r Benchmarks/codec/requirements.txt
	@touch $@

fuzz: setup-run ## fuzz everything that takes bytes, a minute each (FUZZ_SECONDS=60)
	@./scripts/fuzz run

soak: test-long soak-server soak-address soak-thread soak-journal soak-disk soak-replicas soak-cluster soak-play soak-stage ## the real server for ten minutes, every frame and every world compared, the stage, what a release is made of, for hours

soak-journal: build web setup-test .venv/installed ## a server killed a hundred times under load (KILLS=100)
	@echo "==> soak: $(KILLS) kills"
	@STICKERPIT=$(abspath $(SERVER)) SOAK_KILLS=$(KILLS) $(PYTHON) -m pytest -q -s --timeout 7200 \
	  Tests/Interop/test_journal.py -k killed

soak-disk: build web setup-test .venv/installed ## power cuts and failing disks: what is left of a journal (TRIALS=10000, or more to cut at each operation)
	@echo "==> soak: $(TRIALS) kills and power cuts, with each durability"
	@mkdir -p .run
	@for durability in full normal; do $(PYTHON) Tests/DiskFaults/trials.py --server $(abspath $(SERVER)) \
	  --trials $(TRIALS) --walk --seed 1 --durability $$durability --jobs 2 > .run/soak-disk-$$durability.json || exit 1; done
	@echo "==> soak: disks that fail, are full or slow"
	@STICKERPIT=$(abspath $(SERVER)) DISK_FAULT_SAMPLES=all $(PYTHON) -m pytest -q --timeout 7200 Tests/DiskFaults

soak-replicas: build-tests web ## fleets of pages that predict, 2 minutes each, native and in WebAssembly (REPLICA_SEEDS=200, which are 40 a scene, REPLICA_FIRST=1000)
	@echo "==> fleets: $(REPLICA_SEEDS) seeds of $(REPLICA_TICKS) ticks"
	@rm -rf $(SOAK_LOGS) && mkdir -p $(SOAK_LOGS)
	@FLEET_LOGS=$(SOAK_LOGS) STICKERPIT_REPLICA_SEEDS=$(REPLICA_SEEDS) STICKERPIT_REPLICA_FIRST=$(REPLICA_FIRST) \
	  STICKERPIT_REPLICA_TICKS=$(REPLICA_TICKS) \
	  $(SWIFT_TEST) --filter ServerTests.FleetTests
	@echo "==> their logs in WebAssembly"
	@FLEET_LOGS=$(SOAK_LOGS) FLEETS=$(REPLICA_SEEDS) node --test Tests/Node/fleet.test.mjs

soak-cluster: build-tests ## servers that share a world and everything that can happen to them (CLUSTER_SEEDS=2000 CLUSTER_FIRST=1000)
	@echo "==> clusters: $(CLUSTER_SEEDS) seeds"
	@STICKERPIT_CLUSTER_SEEDS=$(CLUSTER_SEEDS) STICKERPIT_CLUSTER_FIRST=$(CLUSTER_FIRST) \
	  $(SWIFT_TEST) --filter ClusterSimulationTests

soak-play: build-tests ## random people over thousands of seeds, every frame compared (PLAY_SEEDS=5000)
	@echo "==> play: $(PLAY_SEEDS) seeds"
	@STICKERPIT_PLAY_SEEDS=$(PLAY_SEEDS) STICKERPIT_PLAY_FIRST=1000 STICKERPIT_PLAY_TICKS=3600 \
	  $(SWIFT_TEST) --filter PlayTests

soak-server: build web $(TLS_FILES) ## the real server, a crowd, churn and hostile senders (SOAK_BOTS=300 SOAK_SECONDS=600 TLS=1)
	@echo "==> soak: $(SOAK_BOTS) bots for $(SOAK_SECONDS) s"
	@mkdir -p .run
	@python3 Tests/Soak/run.py --bots $(SOAK_BOTS) --seconds $(SOAK_SECONDS) $(TLS_FLAGS) > .run/soak-server.json

soak-stage: build web setup-test .venv/installed ## the stage for an hour of crowds, restarts and lost graphics (STAGE_MINUTES=60; a shorter one is not written down)
	@echo "==> soak: the stage for $(STAGE_MINUTES) minutes"
	@STICKERPIT=$(abspath $(SERVER)) STAGE_MINUTES=$(STAGE_MINUTES) $(PYTHON) -m pytest -q -s --timeout 86400 \
	  Tests/Browser/soak_stage.py

# The server alone is built with a sanitizer, with assertions on; the bots are the release build's. A
# build of its own folder takes long the first time. Few bots and stickers for two minutes, because a
# sanitizer slows everything down: with sixty bots and 200 stickers under the thread sanitizer the
# server took five ticks' time for each, and people were cut off as from any overloaded server.
soak-thread: ## the same, shorter, with the server under the thread sanitizer
soak-address: ## the same, shorter, with the server under the address sanitizer
soak-thread: .build-thread/mutex.so
soak-thread soak-address: soak-%: build web
	@echo "==> building the server (release, $* sanitizer)"
	@swift build -c release --product stickerpit --sanitize $* --scratch-path .build-$* \
	  -Xswiftc -assert-config -Xswiftc Debug $(SWIFT_BUILD_FLAGS)
	@echo "==> soak under the $* sanitizer"
	@mkdir -p .run
	@python3 Tests/Soak/run.py --bots 30 --bodies 60 --seconds 120 --sanitizer $* \
	  --server .build-$*/release/stickerpit > .run/soak-$*.json

.build-thread/mutex.so: Tests/Soak/mutex.c
	@mkdir -p .build-thread
	@clang -O2 -g -Wall -Werror -shared -fPIC -o $@ $<

pictures: build web setup-test .venv/installed ## take README's pictures and the page's icons anew, of the real server and page; look at them before committing
	@echo "==> drawing the icons of web/icons"
	@$(PYTHON) scripts/make-icons
	@echo "==> taking the pictures of docs/pictures"
	@STICKERPIT=$(abspath $(SERVER)) $(PYTHON) scripts/make-pictures

docs: build ## the documentation of Physics, Dynamics and of the scenes; any warning fails
	@echo "==> building the documentation"
	@./scripts/build-docs

bots: build ## fifty bots for ten seconds against a running server
	@$(SERVER) bots --url ws://localhost:$(PORT)/ws --count 50 --seconds 10

.venv/installed: Tests/requirements.txt scripts/outline-requirements.txt | setup-test
	@echo "==> Python packages for the tests"
	@python3 -m venv .venv
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r Tests/requirements.txt
	@touch $@

# TypeScript's compiler; what is touched is the program, so that pip is asked only after a change.
.venv/bin/deno: scripts/lint-requirements.txt | setup-lint
	@echo "==> the type checker of the page's code"
	@python3 -m venv .venv
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r scripts/lint-requirements.txt
	@touch $@

# Always asked: the check takes a tenth of a second, and a package may have gone since.
setup-run setup-lint setup-test setup-bench setup-deb: setup-%:
	@./scripts/setup $*

certificate: setup-run
	@./scripts/certificate .run/tls

clean: ## forget every build product; the worlds in .run/data stay
	rm -rf .build .build-static .build-debug .build-wasm .build-consumer .build-fuzz .build-thread .build-address .venv web/pit.wasm web/build.js web/pinned.html
	@find web -name '*.html.gz' -delete -o -name '*.css.gz' -delete -o -name '*.js.gz' -delete -o -name '*.svg.gz' -delete -o -name '*.wasm.gz' -delete
	@[ ! -d .run ] || find .run -mindepth 1 -maxdepth 1 ! -name data -exec rm -rf {} +
