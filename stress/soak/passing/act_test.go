package passing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// enough is a number of calls of two actors together, enough to delete something for each seed here.
const enough = 300

// played lets two actors act on a service, and judges what they recorded.
func played(t *testing.T, around func(*lifecycle.Service) Service) Verdict {
	t.Helper()
	s, err := lifecycle.Open(t.Context(), lifecycle.Config{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var ticks atomic.Int64
	var all sync.WaitGroup
	for i := range 2 {
		a := Actor{Service: around(s), Dir: dir, Life: fmt.Sprint(i), Rng: rand.New(rand.NewPCG(1, uint64(i))), Limit: time.Minute}
		a.Clock = func() int64 {
			now := ticks.Add(1)
			if now >= 2*enough {
				stop()
			}
			return now
		}
		all.Go(func() {
			if err := a.Act(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return Judge(dir, time.Minute)
}

// The verdict accepts a correct service, and rejects one that keeps what it deletes.
func TestAct(t *testing.T) {
	v := played(t, func(s *lifecycle.Service) Service { return s })
	if v.Wrong > 0 || v.Unknown > 0 || v.Operations < enough-2 || v.Deleted == 0 {
		t.Errorf("got %+v, want about %d operations, some deletions, and nothing wrong", v, enough)
	}
	v = played(t, func(s *lifecycle.Service) Service { return keeping{s} })
	if v.Wrong == 0 {
		t.Errorf("got %+v, want something wrong with a service that keeps what it deletes", v)
	}
}

// keeping acknowledges the deletion of a plan without doing it.
type keeping struct{ *lifecycle.Service }

func (s keeping) DeletePlan(ctx context.Context, id string, _ int64) error {
	_, err := s.GetPlan(ctx, id)
	return err
}

// In a file that ends in the middle of a line, as after a kill, the lines before it are read.
func TestReadTorn(t *testing.T) {
	dir := t.TempDir()
	const text = `{"label":"1/1","kind":"make","from":1}` + "\n" + `{"label":"1/2","kind":"get","from":2}` + "\n" +
		`{"label":"1/1","kind":"make","plan":"p","from":1,"to":3,"outcome":"ok"}` + "\n" + `{"label":"1/2","ki`
	if err := os.WriteFile(fileName(dir, "1"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := read(dir)
	if err != nil || len(all) != 2 || all[0].Plan != "p" || all[0].To != 3 || all[1].Outcome != Pending || all[1].To != Never {
		t.Errorf("got %v, %v, want one finished and one pending operation", all, err)
	}
	if err := os.WriteFile(fileName(dir, "2"), []byte("no\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := Judge(dir, time.Minute); v.Wrong != 1 {
		t.Errorf("got %+v of a file that is no journal, want an error", v)
	}
}
