package explored

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/canary"
)

// canaryPrefix begins the identifiers of canaries.
const canaryPrefix = "canary/"

// A Subject is one body with the verdict that it must get.
type Subject struct {
	ID   string // "R4/suggested" or "canary/lost-update"
	What string // in one line
	Want races.Want
	Kind races.Kind // of a violation; empty if it must hold

	Related bool // a cell of N1, N2 and so on

	body     races.Body
	specimen bool // code with known bugs: data races are noted, and do not fail it
	isCanary bool
}

// Canaries returns the planted programs.
func Canaries() []Subject {
	var all []Subject
	for _, c := range canary.All() {
		all = append(all, Subject{ID: canaryPrefix + c.Name, What: c.What, Want: c.Want, Kind: c.Kind, body: c.Body, isCanary: true})
	}
	return all
}

// Cells returns every race in every column, row by row.
func Cells() []Subject {
	var all []Subject
	for _, r := range races.All() {
		for _, c := range r.Cells {
			all = append(all, cell(r, c))
		}
	}
	return all
}

// Find returns the subject with that identifier. It ignores case. The error for an unknown one
// matches races.ErrUnknown and lists the known ones.
func Find(id string) (Subject, error) {
	if name, ok := strings.CutPrefix(strings.ToLower(id), canaryPrefix); ok {
		var known []string
		for _, c := range Canaries() {
			if c.ID == canaryPrefix+name {
				return c, nil
			}
			known = append(known, c.ID)
		}
		return Subject{}, fmt.Errorf("%w: got %q, want one of %s", races.ErrUnknown, id, strings.Join(known, ", "))
	}
	r, c, err := races.Find(id)
	if err != nil {
		return Subject{}, err
	}
	return cell(r, c), nil
}

func cell(r races.Race, c races.Cell) Subject {
	return Subject{
		ID: c.ID, What: fmt.Sprintf("%s (#%d)", r.Title, r.Issue), Want: c.Want, Kind: c.Kind,
		Related: r.Related(), body: c.Body, specimen: c.Column != races.Ours,
	}
}

// Right reports whether a verdict, and the kind of a violation, are what the subject must get. A
// canary must be violated in exactly one way. A race may show as a failed check or as a crash,
// depending on the schedule; but another kind of violation, such as a deadlock, is not the
// documented race.
func (s Subject) Right(verdict, kind string) bool {
	if verdict != string(s.Want) {
		return false
	}
	if s.Want != races.Violated || s.isCanary {
		return kind == string(s.Kind)
	}
	switch races.Kind(kind) {
	case races.KindCheck, races.KindPanic, races.KindFatal:
		return true
	}
	return false
}

// A Manner holds settings of an exploration that do not affect the result. The fields are those of
// explore.Config.
type Manner struct {
	Progress func(schedules int)
	Workers  int
	Worker   func() *exec.Cmd
}

// Explore explores the subject.
func (s Subject) Explore(ctx context.Context, seed uint64, how Manner) (*explore.Result, error) {
	cfg := s.config(seed)
	cfg.Progress, cfg.Workers, cfg.Worker = how.Progress, how.Workers, how.Worker
	return explore.Run(ctx, cfg, s.run)
}

// ExploreWith is Explore with another plan. A failing schedule is not minimised.
func (s Subject) ExploreWith(ctx context.Context, seed uint64, plan ...explore.Stage) (*explore.Result, error) {
	return s.ExploreUntil(ctx, seed, nil, plan...)
}

// ExploreUntil is ExploreWith that ends early when enough returns true; see explore.Config.
func (s Subject) ExploreUntil(ctx context.Context, seed uint64, enough func(sofar explore.Result) bool, plan ...explore.Stage) (*explore.Result, error) {
	cfg := s.config(seed)
	cfg.Plan, cfg.Minimise, cfg.Enough = plan, -1, enough
	return explore.Run(ctx, cfg, s.run)
}

// Replay replays a card of the subject.
func (s Subject) Replay(ctx context.Context, seed uint64, card string) (*explore.Replayed, error) {
	return explore.Replay(ctx, s.config(seed), card, s.run)
}

// run runs the subject's body for the explorer: an error before there is anything to judge makes
// the execution inconclusive.
func (s Subject) run(t *explore.T) {
	if err := s.body(t); err != nil {
		t.Inconclusive("%v", err)
	}
}

// bound is the greatest number of preemptions in the search.
const bound = 2

// The most schedules of a search. Subjects that hold end earlier.
const (
	reduced  = 5_000  // by DPOR
	searched = 40_000 // by rising numbers of preemptions
)

// sampled returns how many schedules each of two strategies samples first: a wrong cell is found
// within a few of them. Half as many are run for the related races, because they spend their time
// in a database, except those about subplans.
func (s Subject) sampled() int {
	if s.Related {
		return 50
	}
	return 100
}

// inMemory are the races on the store in memory that DPOR can exhaust. DPOR makes no claim about
// subjects with files or a database.
var inMemory = []string{"R2", "R4", "R5", "N6"}

// trusted are the packages whose inner synchronisation is not explored: the database driver and the
// packages below it. Their goroutines are controlled nevertheless, and every call into them is a
// scheduling point of its caller.
var trusted = []string{"database/sql/...", "modernc.org/...", "github.com/pressly/goose/...", "golang.org/x/sync/errgroup", "github.com/sethvargo/go-retry"}

// store are the packages of the plan service that N9 is not about: it is about the decision on the
// state of a subplan. Each call of the service is one point there. Other races explore these packages.
var store = []string{
	"github.com/jacquard-go/jacquard/lifecycle", "github.com/jacquard-go/jacquard/lifecycle/internal/...",
	"github.com/jacquard-go/jacquard/cache", "github.com/puzpuzpuz/xsync/v3",
}

// Trusted returns the trusted packages, for other explorations of the same code.
func Trusted() []string { return append([]string(nil), trusted...) }

func (s Subject) config(seed uint64) explore.Config {
	cfg := explore.Config{
		Seed:     seed,
		Name:     s.ID,
		Trust:    Trusted(),
		Replayed: "go run ./cmd/races replay " + s.ID + " %s",
		Plan: []explore.Stage{
			{Strategy: explore.PCT(3), Schedules: s.sampled()},
			{Strategy: explore.RandomWalk(), Schedules: s.sampled()},
		},
	}
	if race, _, _ := strings.Cut(s.ID, "/"); slices.Contains(inMemory, race) {
		cfg.Plan = append(cfg.Plan, explore.Stage{Strategy: explore.DPOR(), Schedules: reduced})
	}
	cfg.Plan = append(cfg.Plan, explore.Stage{Strategy: explore.Reduced(bound), Schedules: searched})
	if strings.HasPrefix(s.ID, "N9/") {
		cfg.Trust = append(cfg.Trust, store...)
	}
	if s.specimen {
		// Unsynchronised code has data races everywhere. The reports describe their consequences.
		cfg.Races = explore.RacesNote
	}
	return cfg
}
