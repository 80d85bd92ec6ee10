package explored

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
)

// A Row is one body that must hold in every schedule.
type Row struct {
	ID   string // such as "G8b"
	What string // in a few words
	Body func(*explore.T)

	races explore.RacePolicy
	flags string // flags of the command that replays a card
}

// Rows returns all rows, guarantee by guarantee.
func Rows() []Row {
	return slices.Concat(creation(), errorsTold(), contexts(), cycles(), independence(), changes(), ownership(), closing(), stamps(), batches(), weights(), remembered(), refreshed(), versions(), models())
}

// ErrUnknown says that there is no row of that name.
var ErrUnknown = errors.New("explored: no such row")

// Find returns the rows of one guarantee, such as G8, or one row of it, such as G8b, in upper or lower case; all if the
// name is empty.
func Find(name string) ([]Row, error) { return find(Rows(), name) }

func find(rows []Row, name string) ([]Row, error) {
	for _, r := range rows {
		if strings.EqualFold(r.ID, name) {
			return []Row{r}, nil
		}
	}
	rows = slices.DeleteFunc(rows, func(r Row) bool {
		rest, ok := strings.CutPrefix(strings.ToLower(r.ID), strings.ToLower(name))
		digit := rest != "" && rest[0] >= '0' && rest[0] <= '9' // G1 does not stand for G10
		return !ok || name != "" && digit
	})
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: got %q, want a name such as G8 or G8b", ErrUnknown, name)
	}
	return rows, nil
}

// Plan divides n schedules between three strategies that search in different ways: by priorities, by the order of
// operations that conflict, and at random.
func Plan(n int) []explore.Stage {
	third := max(n/3, 1)
	return []explore.Stage{
		{Strategy: explore.PCT(3), Schedules: third},
		{Strategy: explore.POS(), Schedules: third},
		{Strategy: explore.RandomWalk(), Schedules: max(n-2*third, 1)},
	}
}

// Config returns how the row is explored in n schedules.
func (r Row) Config(seed uint64, n int) explore.Config {
	return explore.Config{
		Seed: seed, Name: r.ID, Plan: Plan(n), Races: r.races,
		Stall:    -1, // a sleep lasts until no goroutine can run: so bodies wait until callers wait
		Replayed: "go run ./cmd/bench explored " + r.flags + "-card %s " + r.ID,
	}
}

// Explore explores the row in n schedules. The error is the explorer's.
func (r Row) Explore(ctx context.Context, seed uint64, n int) (*explore.Result, error) {
	return explore.Run(ctx, r.Config(seed, n), r.Body)
}

// Replay replays a card of the row, also one from an earlier state of the program.
func (r Row) Replay(ctx context.Context, card string) (*explore.Replayed, error) {
	return explore.Replay(ctx, r.Config(1, 1), card, r.Body)
}
