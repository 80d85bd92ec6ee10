# The targets that people and CI use. `make` alone lists them.

GO      ?= go
GOFMT   ?= $(shell $(GO) env GOROOT)/bin/gofmt
SEED    ?= 1
TIME    ?= 30s
TIMEOUT ?= 20m
SCHEDULES ?= 10000

# What a release is built for. Only linux/amd64 is tested.
PLATFORMS ?= linux/amd64 linux/arm64

# The least share of the statements of cache and lifecycle that their own tests
# run, in percent.
COVERAGE := 97
COVERED  := cache lifecycle

# Packages whose tests build programs and run them, most of them under control.
# The programs are the same whether or not the tests have the race detector around
# them, so that make test runs these packages once, with it.
BUILDING := cmd/... explore internal/house internal/timeline internal/toolchain lifecycle/explored races/... steps suite/...

# The module of the libraries that the cache is compared with. The patterns of
# the go command do not reach into it.
BENCH := cache/bench

# Where there is no PostgreSQL, what is for it cannot be run and is not counted.
POSTGRES := $(or $(JACQUARD_POSTGRES_DSN),$(shell command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null))
UNCOUNTED := $(if $(POSTGRES),^$$,/lifecycle/postgres_)

# staticcheck reads what the compiler writes, so it must know the Go release:
# 2026.2 is for Go 1.26 and later, 2026.1 is the last one that Go 1.25 builds.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@$(if $(filter go1.25%,$(shell $(GO) env GOVERSION)),v0.7.0,v0.8.2)

# The Go releases that the explorer is for, and the packages that tell whether it
# works with one. The go command fetches what is not installed.
TOOLCHAINS := go1.25.0 go1.26.8 go1.27.0
EXPLORER   := ./internal/overlay ./internal/control ./internal/toolchain ./explore ./suite ./suite/guest

.DEFAULT_GOAL := help
.PHONY: help races test test-toolchains goker strategies-long test-bench guarantees mutations guarantees-long lifecycle-long features stress soak fuzz cover bench-cache bench-lifecycle bench-explore release lint vet fmt fmt-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  SEED=$(SEED) for races, stress and soak, TIME=$(TIME) for stress, for each database of soak and for each fuzz target, TIMEOUT=$(TIMEOUT) for a package's tests, SCHEDULES=$(SCHEDULES) for guarantees-long"

races: ## every documented race: as reported, as suggested, ours
	$(GO) run ./cmd/jacquard races -seed $(SEED)

test: fmt-check vet cover test-bench ## what to run before a commit: gofmt, vet, coverage, all tests under -race, and without it those to which it matters
	$(GO) list ./... | grep -vxF "$$($(GO) list $(COVERED:%=./%) $(BUILDING:%=./%))" | xargs $(GO) test -timeout $(TIMEOUT)
	$(GO) test -race -timeout $(TIMEOUT) ./...

test-bench: ## the tests of the module in cache/bench: peers, guarantees, explored schedules
	cd $(BENCH) && $(GO) test -timeout $(TIMEOUT) ./...

guarantees: ## ask the cache and seven others what they guarantee, and write docs/guarantees.md
	cd $(BENCH) && $(GO) run ./cmd/guarantees -races 40000 -rounds 10 -o ../../docs/guarantees.md

mutations: ## break the cache a line at a time: each must turn a guarantee red
	cd $(BENCH) && $(GO) run ./cmd/mutations

guarantees-long: ## every guarantee of the cache in SCHEDULES schedules, and the races in other caches
	cd $(BENCH) && $(GO) run ./cmd/explored -seed $(SEED) -schedules $(SCHEDULES)
	cd $(BENCH) && $(GO) run ./cmd/explored -seed $(SEED) -schedules $(SCHEDULES) -found

test-toolchains: ## the tests of the explorer and of jacquard test with every Go release that they are for
	@set -e; log=$$(mktemp); trap 'rm -f "$$log"' EXIT; failed=; \
	for toolchain in $(TOOLCHAINS); do \
		if GOTOOLCHAIN=$$toolchain $(GO) test -count 1 -timeout 30m $(EXPLORER) >"$$log" 2>&1; then \
			echo "ok    $$toolchain"; \
		else \
			cat "$$log"; echo "FAIL  $$toolchain"; failed=1; \
		fi; \
	done; test -z "$$failed"

goker: ## the kernels of GoBench that the Go tree has (Go 1.26 on): found, named, replayed; written to docs/goker.md
	$(GO) run ./cmd/goker -o docs/goker.md

strategies-long: ## every bug of the table with 20 seeds, every card 100 times, every corrected program 10,000 times and every fixed race for 5 s or 100 times by each strategy, whichever is more
	JACQUARD_LONG=1 $(GO) test -timeout 12h -run 'Classic' ./explore
	JACQUARD_LONG=1 $(GO) test -timeout 12h -run 'EveryBug|Cards|NothingIsReported' ./cmd/strategies

features: ## the reports as scenarios, told in full
	JACQUARD_FEATURES_FORMAT=pretty $(GO) test -timeout $(TIMEOUT) -v -run TestFeatures ./steps

stress: ## plain running on all cores under the race detector, for TIME in all
	$(GO) run -race ./cmd/jacquard stress -seed $(SEED) -time $(TIME)

soak: ## several processes on one SQLite file, and on one PostgreSQL database, for TIME each, one at a time killed and restarted
	$(GO) run ./cmd/jacquard soak -seed $(SEED) -time $(TIME)

lifecycle-long: ## any two operations of the plan service, and a thousand longer histories, in memory and on SQLite, in SCHEDULES schedules each
	JACQUARD_LIFECYCLE_SCHEDULES=$(SCHEDULES) JACQUARD_LIFECYCLE_SEEDS=1000 $(GO) test -timeout 12h ./lifecycle/explored

# A number of inputs, as TIME=500x, ends in order everywhere. A duration may end with
# "context deadline exceeded" and no input before Go 1.27: https://go.dev/issue/75804.
fuzz: ## native fuzzing, each target for TIME, which may be a number of inputs as 500x
	@set -e; targets=$$($(GO) test -list '^Fuzz' ./fuzz | grep '^Fuzz'); \
	for target in $$targets; do \
		echo "$(GO) test -run '^$$' -fuzz '^$$target$$' -fuzztime $(TIME) -fuzzminimizetime 5x ./fuzz"; \
		$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(TIME) -fuzzminimizetime 5x ./fuzz; \
	done

cover: ## fail if the tests of cache and lifecycle cover too little of them
	@profile=$$(mktemp) && trap 'rm -f "$$profile"' EXIT && \
		$(GO) test -timeout $(TIMEOUT) -coverprofile "$$profile" $(COVERED:%=./%) && \
		sed -i.all -E '\#$(UNCOUNTED)#d' "$$profile" && rm -f "$$profile.all" && \
		.ci/coverage $(COVERAGE) "$$profile" $(COVERED)

bench-cache: ## what the cache and its peers cost, in a few minutes; written to BENCHMARKS.md
	cd $(BENCH) && $(GO) run ./cmd/speed -o ../../BENCHMARKS.md

bench-lifecycle: ## what the plan service costs on each store, cached and uncached, in a few minutes; written to BENCHMARKS.md
	$(GO) run ./cmd/speed -o BENCHMARKS.md lifecycle

bench-explore: ## what a scheduling step costs, against iter.Pull, with the race detector and without; written to BENCHMARKS.md
	$(GO) run ./cmd/speed -o BENCHMARKS.md explorer

release: ## the command jacquard as others get it, for each of PLATFORMS, in dist/; this machine's must pass its own doctor
	@set -e; rm -rf dist; for platform in $(PLATFORMS); do \
		name=jacquard-$$(echo "$$platform" | tr / -); \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -trimpath -ldflags '-s -w' -o "dist/$$name" ./cmd/jacquard; \
		echo "dist/$$name"; \
	done; \
	cd dist && sha256sum jacquard-* >SHA256SUMS && \
	here=./jacquard-$$($(GO) env GOOS)-$$($(GO) env GOARCH) && "$$here" version && "$$here" doctor

lint: vet ## vet and staticcheck
	$(GO) run $(STATICCHECK) -tags jacquard ./...
	cd $(BENCH) && $(GO) run $(STATICCHECK) ./...

vet: ## go vet, of both builds: plain and under control
	$(GO) vet ./...
	$(GO) vet -tags jacquard ./...
	cd $(BENCH) && $(GO) vet ./...

fmt: ## format the tree
	$(GOFMT) -w .

fmt-check:
	@wrong=$$($(GOFMT) -l .); test -z "$$wrong" || { echo "not formatted, run make fmt:" $$wrong >&2; exit 1; }

clean: ## remove what building leaves in the tree
	rm -rf bin dist
	find . -path ./.git -prune -o -type f '(' -name '*.test' -o -name '*.out' -o -name '*.prof' ')' -exec rm -f {} +
