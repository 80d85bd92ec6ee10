# The targets that people and CI use. `make` alone lists them.

GO      ?= go
GOFMT   ?= $(shell $(GO) env GOROOT)/bin/gofmt
SEED    ?= 1
TIME    ?= 30s
TIMEOUT ?= 40m
SHORT   ?= -short
SCHEDULES ?= 10000
EACH    ?= 250ms

# What a release is built for. Only linux/amd64 is tested.
PLATFORMS ?= linux/amd64 linux/arm64

# Where there is no PostgreSQL, what is for it cannot be run and is not counted.
POSTGRES := $(or $(JACQUARD_POSTGRES_DSN),$(shell command -v initdb || ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null))
UNCOUNTED := $(if $(POSTGRES),^$$,/lifecycle/postgres_)

# The least share of a package's statements that its own tests run, in percent.
# What runs in a process of its own is not counted. What takes longest begins first.
COVERAGE := explore=35 lifecycle=97 lifecycle/internal/history=97 lifecycle/internal/databases=97 lifecycle/internal/faults=97 lifecycle/internal/domain=97 lifecycle/internal/engine=97 lifecycle/internal/sqlite=97 $(if $(POSTGRES),lifecycle/internal/events=97 lifecycle/internal/postgres=97) cache=97 lifecycle/jobs=97 lifecycle/locks=97 lifecycle/subplans=97 races=91 stress=92
COVERED  := $(foreach bar,$(COVERAGE),./$(firstword $(subst =, ,$(bar))))

# Packages whose tests build programs and explore them at length: make test leaves them to
# test-long, which has them in test-exploring, or in test-race if they are STARTING, too.
# What takes longest begins first.
EXPLORING := ./cmd/races ./suite/guest ./cmd/jacquard ./suite ./internal/search ./lifecycle/explored ./steps ./races/explored ./fuzz ./internal/toolchain ./internal/litmus

# Packages whose code meets itself on all processors runs in other ways without the race
# detector, which slows some of it down and orders memory: both ways are run. Of these,
# test has RACED under the detector, and test-plain without it. The stores take the embedded
# database with them, and that twice as long to compile: test has them without, and test-race
# with the detector. All other packages compute, or build programs and run them under control,
# where the detector is on in any case; STARTING start goroutines of their own, too.
RACED    := ./cache ./internal/child ./internal/workers
STARTING := ./internal/linear ./internal/litmus ./internal/postgres ./internal/toolchain ./suite
STORES   := $(addprefix ./,lifecycle lifecycle/internal/engine lifecycle/internal/events lifecycle/internal/postgres lifecycle/internal/sqlite lifecycle/jobs lifecycle/locks lifecycle/reported lifecycle/subplans stress/...)

# Tests of STORES that take longest under the race detector and show it nothing: one
# caller's, and those of specimens, each of which has processes that share no memory.
ALONE := ^TestActionTextIsKeptOrRefused$$|^TestEveryFaultChangesNothing$$|^TestHostileTexts$$|^TestServiceFollowsTheTable$$|^TestSpecimens$$|^TestSQLiteTornLog$$|^TestTextsComeBack$$|^TestVeryManyPlans$$

# The module of what only measures. The patterns of the go command do not reach into
# it.
BENCH := bench

# staticcheck reads what the compiler writes, so it must know the Go release:
# 2026.2 is for Go 1.26 and later, 2026.1 is the last one that Go 1.25 builds.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@$(if $(filter go1.25%,$(shell $(GO) env GOVERSION)),v0.7.0,v0.8.2)

# The Go releases that the explorer is for, and the packages that tell whether it
# works with one. The go command fetches what is not installed.
TOOLCHAINS := go1.25.0 go1.26.8 go1.27.0
EXPLORER   := ./internal/overlay ./internal/source ./internal/control ./internal/toolchain ./explore ./suite ./suite/guest

.DEFAULT_GOAL := help
.PHONY: help races test test-long test-exploring test-race test-plain test-toolchains goker strategies sctbench flakes hunt strategies-long test-bench guarantees mutations guarantees-long lifecycle-long features stress soak fuzz litmus bench-cache bench-lifecycle bench-explore release lint vet vet-others fmt fmt-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  SEED=$(SEED) for races, stress and soak, TIME=$(TIME) for stress, for each database of soak and for each fuzz target, TIMEOUT=$(TIMEOUT) for a package's tests, SCHEDULES=$(SCHEDULES) for guarantees-long and lifecycle-long, EACH=$(EACH) for lifecycle-long"

races: ## every documented race: as reported, as suggested, ours
	$(GO) run ./cmd/races -seed $(SEED)

# Coverage is counted only where there is a bar: what computes takes four times as
# long with it. Most packages are vetted in the build in which they are tested: go vet by
# itself would compile once more what depends on a package whose tests add to it.
test: fmt-check ## what to run before a commit: gofmt, vet, tests, coverage; RACED under the race detector
	@failed=; profile=$$(mktemp) && trap 'rm -f "$$profile"*' EXIT; \
	echo "make $@: under the race detector: $(RACED:./%=%); left to test-long: $(EXPLORING:./%=%); without the detector, but for what they run under control: all others"; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -vet=all $$($(GO) list ./... | grep -vxF "$$($(GO) list $(RACED) $(COVERED) $(EXPLORING))") || failed=1; \
	$(GO) vet $(RACED) $(EXPLORING) || failed=1; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -race -vet=off $(filter-out $(COVERED),$(RACED)) & raced=$$!; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -race -vet=off -coverprofile "$$profile.raced" $(filter $(COVERED),$(RACED)) || failed=1; \
	wait $$raced || failed=1; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -vet=all -coverprofile "$$profile" $(filter-out $(RACED),$(COVERED)) && \
		cat "$$profile.raced" >>"$$profile" && sed -i.all -E '\#$(UNCOUNTED)#d' "$$profile" && \
		.ci/coverage "$$profile" $(COVERAGE) || failed=1; \
	test -z "$$failed"
	@$(if $(POSTGRES),,echo "make $@: what needs PostgreSQL did NOT run")

test-long: ## make test, test-exploring, test-race, test-plain and test-bench; SHORT= for more seeds, schedules and implementations
	@$(MAKE) -k test test-exploring test-race test-plain test-bench

test-exploring: ## the packages whose tests explore programs at length
	@failed=; profile=$$(mktemp) && trap 'rm -f "$$profile"*' EXIT; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -vet=off $(filter-out ./steps $(STARTING),$(EXPLORING)) & others=$$!; \
	.ci/test $(SHORT) -timeout $(TIMEOUT) -vet=off -coverprofile "$$profile" ./steps ./suite && .ci/coverage "$$profile" steps=80 suite=84 || failed=1; \
	wait $$others || failed=1; \
	test -z "$$failed"

test-race: ## the tests of the stores, and of what starts goroutines, under the race detector
	.ci/test $(SHORT) -race -vet=off -timeout $(TIMEOUT) -skip '$(ALONE)' $(STARTING) $(STORES)
	@$(if $(POSTGRES),,echo "make $@: what needs PostgreSQL did NOT run")

test-plain: ## the tests that make test and test-race run under the race detector and that it slows, without it
	@failed=; \
	.ci/test $(SHORT) -vet=off -timeout $(TIMEOUT) $(RACED) || failed=1; \
	.ci/test $(SHORT) -vet=off -timeout $(TIMEOUT) -run '^TestPlainRuns' ./internal/litmus || failed=1; \
	test -z "$$failed"

test-bench: ## the tests of the module in bench, which has what only measures
	cd $(BENCH) && ../.ci/test $(SHORT) -vet=off -timeout $(TIMEOUT) ./... # make vet has vetted it

guarantees: ## ask the cache and seven others what they guarantee, and write docs/guarantees.md
	cd $(BENCH) && $(GO) run ./cmd/bench guarantees -races 40000 -rounds 10 -o ../docs/guarantees.md

mutations: ## break the cache a line at a time: each must turn a guarantee red; the explorer: generated programs must find each; cache and lifecycle: which instrument finds what, written to docs/mutations.md
	cd $(BENCH) && $(GO) run ./cmd/bench mutations
	cd $(BENCH) && $(GO) run ./cmd/bench mutations -explorer
	cd $(BENCH) && $(GO) run ./cmd/bench mutations found -o ../docs/mutations.md

guarantees-long: ## every guarantee of the cache in SCHEDULES schedules, and the races in other caches
	cd $(BENCH) && $(GO) run ./cmd/bench explored -seed $(SEED) -schedules $(SCHEDULES)
	cd $(BENCH) && $(GO) run ./cmd/bench explored -seed $(SEED) -schedules $(SCHEDULES) -found

test-toolchains: ## the tests of the explorer and of jacquard test with every Go release that they are for; SHORT= for all of them
	@failed=; \
	for toolchain in $(TOOLCHAINS); do \
		if GOTOOLCHAIN=$$toolchain .ci/test $(SHORT) -count 1 -timeout 30m $(EXPLORER); then \
			echo "ok    $$toolchain"; \
		else \
			echo "FAIL  $$toolchain"; failed=1; \
		fi; \
	done; test -z "$$failed"

goker: ## the kernels of GoBench that the Go tree has (Go 1.26 on): found, named, replayed; written to docs/goker.md
	cd $(BENCH) && $(GO) run ./cmd/bench goker -seeds 10 -replays 100 -twins 10000 -o ../docs/goker.md

strategies: ## how many schedules each strategy needs to find known bugs; written to docs/strategies.md
	cd $(BENCH) && $(GO) run ./cmd/bench strategies -seeds 20 -limit 1000 -o ../docs/strategies.md

sctbench: ## the same for the programs of SCTBench and ConVul, beside published figures; written to docs/sctbench.md
	cd $(BENCH) && $(GO) run ./cmd/bench sctbench -seeds 20 -limit 1000 -o ../docs/sctbench.md

flakes: ## bugs that public modules had, before their repair and after it, by the module proxy; written to docs/flakes.md
	cd $(BENCH) && $(GO) run ./cmd/bench flakes -o ../docs/flakes.md

hunt: ## how many schedules a hunt by a log needs, beside the same search without the log; written to docs/hunt.md
	cd $(BENCH) && $(GO) run ./cmd/bench hunt -seeds 11 -o ../docs/hunt.md

strategies-long: ## every bug of the table with 20 seeds, every card 100 times, every corrected program 10,000 times and every fixed race for 5 s or 100 times by each strategy, whichever is more
	JACQUARD_LONG=1 $(GO) test -timeout 12h -run 'Classic' ./explore
	cd $(BENCH) && JACQUARD_LONG=1 $(GO) test -timeout 12h -run 'EveryBug|Cards|NothingIsReported' ./strategies

features: ## the scenarios in features, told in full; go test ./steps takes Godog's flags, as -godog.tags
	$(GO) test -timeout $(TIMEOUT) -v -run TestFeatures ./steps -godog.format=pretty

stress: ## plain running on all cores under the race detector, for TIME in all
	$(GO) run -race ./cmd/races stress -seed $(SEED) -time $(TIME)

soak: ## several processes on one SQLite file, and on one PostgreSQL database, for TIME each, one at a time killed and restarted
	$(GO) run ./cmd/races soak -seed $(SEED) -time $(TIME)

lifecycle-long: ## any two operations of the plan service, a thousand longer histories in memory and 200 on SQLite, by each strategy for EACH or in SCHEDULES schedules, whichever is less
	JACQUARD_LIFECYCLE_SCHEDULES=$(SCHEDULES) JACQUARD_LIFECYCLE_TIME=$(EACH) JACQUARD_LIFECYCLE_SEEDS=1000 $(GO) test -timeout 12h ./lifecycle/explored

# A number of inputs, as TIME=500x, ends in order everywhere. A duration may end with
# "context deadline exceeded" and no input before Go 1.27: https://go.dev/issue/75804.
fuzz: ## programs and their schedules, and inputs of one caller: each fuzz target for TIME, which may be a number of inputs as 500x, and a table
	$(GO) run ./cmd/fuzz -time $(TIME)

# One process a processor, each with seeds of its own.
litmus: ## generated programs: what an exhausted search has reached against what an enumerator allows, for TIME
	@log=$$(mktemp -d); trap 'rm -rf "$$log"' EXIT; for i in $$(seq $$(getconf _NPROCESSORS_ONLN)); do \
		{ JACQUARD_LITMUS=$(TIME) JACQUARD_LITMUS_SEED=$(SEED)$$(printf %03d $$i)000000 $(GO) test -count=1 -timeout 24h -v -run Searches ./internal/litmus || touch "$$log/failed"; } & \
	done; wait; test ! -e "$$log/failed"

bench-cache: ## what the cache and its peers cost, in a few minutes; written to BENCHMARKS.md
	cd $(BENCH) && $(GO) run ./cmd/bench speed cache -o ../BENCHMARKS.md

bench-lifecycle: ## what the plan service costs on each store, cached and uncached, in a few minutes; written to BENCHMARKS.md
	cd $(BENCH) && $(GO) run ./cmd/bench speed lifecycle -o ../BENCHMARKS.md

bench-explore: ## what a scheduling step costs, against iter.Pull, with the race detector and without; written to BENCHMARKS.md
	cd $(BENCH) && $(GO) run ./cmd/bench speed explore -o ../BENCHMARKS.md

release: ## the command jacquard as others get it, for each of PLATFORMS, in dist/; this machine's must pass its own doctor
	@set -e; rm -rf dist; for platform in $(PLATFORMS); do \
		name=jacquard-$$(echo "$$platform" | tr / -); \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} $(GO) build -trimpath -ldflags '-s -w' -o "dist/$$name" ./cmd/jacquard; \
		echo "dist/$$name"; \
	done; \
	cd dist && sha256sum jacquard-* >SHA256SUMS && \
	here=./jacquard-$$($(GO) env GOOS)-$$($(GO) env GOARCH) && "$$here" version && "$$here" doctor

lint: vet-others ## staticcheck, and vet of what make test does not vet: the build under control, and bench
	$(GO) run $(STATICCHECK) -tags jacquard ./...
	cd $(BENCH) && $(GO) run $(STATICCHECK) -tags jacquard ./... # with the tag, what it knows of the main module serves again

vet: vet-others ## go vet, of both builds, plain and under control, and of bench
	$(GO) vet ./...

# Only these packages have files of their own for the build under control.
vet-others:
	$(GO) vet -tags jacquard $$(grep -rl '^//go:build.*jacquard' --include='*.go' . | xargs -n 1 dirname | sort -u)
	cd $(BENCH) && $(GO) vet ./...

fmt: ## format the tree
	$(GOFMT) -w .

fmt-check:
	@wrong=$$($(GOFMT) -l .); test -z "$$wrong" || { echo "not formatted, run make fmt:" $$wrong >&2; exit 1; }

clean: ## remove what building leaves in the tree
	rm -rf bin dist
	find . -path ./.git -prune -o -type f '(' -name '*.test' -o -name '*.out' -o -name '*.prof' ')' -exec rm -f {} +
