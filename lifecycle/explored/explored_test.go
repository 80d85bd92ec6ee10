package explored_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle/explored"
)

// schedulesEnv sets the number of schedules of each scenario, which is small by default. timeEnv sets a time that is enough for each
// strategy after fairlyMany schedules. seedsEnv sets the number of histories in memory; databases get a fifth of it.
const (
	schedulesEnv = "JACQUARD_LIFECYCLE_SCHEDULES"
	timeEnv      = "JACQUARD_LIFECYCLE_TIME"
	seedsEnv     = "JACQUARD_LIFECYCLE_SEEDS"
)

// fairlyMany is the least number of schedules, whatever the time: on a database one may take a twentieth of a second.
const fairlyMany = 10

// An effort is how much a test tries on a store.
type effort struct {
	seeds     uint64
	schedules int           // of each pair or history
	every     int           // only each such pair is tried
	time      time.Duration // for each strategy; 0 means no limit
}

// effortOn tries more in memory than on databases, where an execution takes ten times as long. There it tries only some of the pairs
// unless the number of schedules is set. With -short there are fewer of everything.
func effortOn(t *testing.T, store explored.Store) effort {
	e := effort{seeds: 40, schedules: 40, every: 1}
	switch {
	case store.Units && !store.Closes: // a database in memory: each execution creates the schema
		e = effort{seeds: 8, schedules: 8, every: 10}
	case store.Units:
		e = effort{seeds: 12, schedules: 8, every: 3}
	}
	switch {
	case os.Getenv(schedulesEnv) != "":
		e.every = 1
	case testing.Short():
		e = effort{seeds: e.seeds / 4, schedules: max(8, e.schedules/4), every: min(e.every*e.every*e.every, 100)}
	}
	e.schedules = int(number(t, schedulesEnv, uint64(e.schedules)))
	if e.seeds = number(t, seedsEnv, e.seeds); store.Units && os.Getenv(seedsEnv) != "" {
		e.seeds = max(1, e.seeds/5)
	}
	if text := os.Getenv(timeEnv); text != "" {
		var err error
		if e.time, err = time.ParseDuration(text); err != nil || e.time <= 0 {
			t.Fatalf("%s: got %q, want a time such as 1s", timeEnv, text)
		}
	}
	return e
}

// configs returns the explorations of a scenario: one, or with a time one for each strategy.
func (e effort) configs() []explore.Config {
	whole := e.config()
	if e.time == 0 {
		return []explore.Config{whole}
	}
	var each []explore.Config
	for _, stage := range whole.Plan {
		cfg, begun := whole, time.Time{}
		cfg.Plan = []explore.Stage{stage}
		cfg.Enough = func(sofar explore.Result) bool {
			if begun.IsZero() {
				begun = time.Now()
			}
			return sofar.Schedules >= fairlyMany && time.Since(begun) >= e.time
		}
		each = append(each, cfg)
	}
	return each
}

func number(t *testing.T, env string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(env)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("%s: got %q, want a number of at least 1", env, text)
	}
	return n
}

// config is a small default plan: three strategies sample half of it, and a search has the other half.
func (e effort) config() explore.Config {
	each := max(1, e.schedules/6)
	return explore.Config{
		Trust: explored.Trusted(),
		Plan: []explore.Stage{
			{Strategy: explore.POS(), Schedules: each},
			{Strategy: explore.SURW(), Schedules: each},
			{Strategy: explore.PCT(0), Schedules: each},
			{Strategy: explore.DepthFirst(2), Schedules: max(1, e.schedules/2)},
		},
	}
}

// Any two operations on a store are linearizable.
func TestPairs(t *testing.T) {
	eachStore(t, func(t *testing.T, store explored.Store, e effort) {
		for i, pair := range explored.Pairs(store) {
			if i%e.every == 0 {
				run(t, store, e, pair)
			}
		}
	})
}

// Longer histories are linearizable too. Each has a seed.
func TestHistories(t *testing.T) {
	eachStore(t, func(t *testing.T, store explored.Store, e effort) {
		for seed := range e.seeds {
			run(t, store, e, func() explored.Scenario { return explored.Generate(store, seed+1) })
		}
	})
}

// eachStore runs a test once for each store, with all scenarios in one process under control. A scenario selected on its own, for
// example to replay a card, has its own process.
func eachStore(t *testing.T, test func(*testing.T, explored.Store, effort)) {
	named := strings.Count(flag.Lookup("test.run").Value.String(), "/") >= 2
	for _, store := range explored.Stores() {
		t.Run(store.Name, func(t *testing.T) {
			if !explore.Controlled() {
				t.Parallel() // each store has its own process
			}
			if named || explore.Control(t) {
				test(t, store, effortOn(t, store))
			}
		})
	}
}

func run(t *testing.T, store explored.Store, e effort, scenario func() explored.Scenario) {
	name := strings.NewReplacer("/", "-", ": ", ":", ", ", ",", " ", "_").Replace(scenario().Name)
	t.Run(name, func(t *testing.T) {
		template, err := explored.NewTemplate(store, t.TempDir(), scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range e.configs() {
			explore.Test(t, cfg, template.Body)
		}
	})
}

// The same seed makes the same history, and every operation occurs.
func TestGenerate(t *testing.T) {
	for _, store := range explored.Stores() {
		seen := make(map[explored.Operation]bool)
		for seed := range uint64(200) {
			s := explored.Generate(store, seed)
			if again := explored.Generate(store, seed); fmt.Sprint(s.Threads) != fmt.Sprint(again.Threads) {
				t.Fatalf("seed %d: got %v and %v, want the same", seed, s.Threads, again.Threads)
			}
			for _, calls := range s.Threads {
				for _, c := range calls {
					seen[c.Operation] = true
				}
			}
		}
		if want := 18; len(seen) != want-missing(store) {
			t.Errorf("%s: got operations %v, want %d", store.Name, seen, want-missing(store))
		}
	}
}

// missing returns how many operations a store lacks.
func missing(store explored.Store) int {
	n := 0
	if !store.Units {
		n += 2
	}
	if !store.Closes {
		n++
	}
	return n
}
