package fuzz_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/explored"
)

// FuzzClaims fuzzes programs of two workers that claim one plan in a SQLite file, which each has opened. FuzzMemoryClaims uses one
// service in memory. What the workers observe must be linearizable, with one claim at a time.

func FuzzClaims(f *testing.F)       { fuzzClaims(f, true) }
func FuzzMemoryClaims(f *testing.F) { fuzzClaims(f, false) }

func fuzzClaims(f *testing.F, onFile bool) {
	var content []byte // of a file that has the plan
	planID := ""
	if onFile {
		path := filepath.Join(f.TempDir(), "plans.db")
		planID = oneWith(f, path)
		var err error
		if content, err = os.ReadFile(path); err != nil {
			f.Fatal(err)
		}
	}
	var cfg explore.FuzzConfig
	cfg.Trust = explored.Trusted()
	cfg.Replayed = "JACQUARD_CARD=%s go test ./fuzz -run '^" + f.Name() + "$'"
	explore.FuzzProgram(f, cfg, func(t *explore.T, program []byte) {
		o, err := openOffice(t, content, planID)
		if err == nil {
			playClaims(t, o).run(t, program)
			err = o.close()
		}
		if err != nil {
			t.Inconclusive("the services: %v", err)
		}
	})
}

// oneWith creates a SQLite file with one plan and returns the plan's identifier.
func oneWith(f *testing.F, path string) string {
	o := &office{}
	err := o.open("sqlite:///" + path)
	if err == nil {
		err = o.plan()
	}
	if err = errors.Join(err, o.close()); err != nil {
		f.Fatal(err)
	}
	return o.planID
}

// An office is the services of two workers, and the plan that they work on.
type office struct {
	services []*lifecycle.Service
	engines  []*lifecycle.Engines
	planID   string
	file     string // empty is memory
}

// openOffice opens two services on a copy of a file, or, without a file, one service in memory for both workers.
func openOffice(t *explore.T, content []byte, planID string) (*office, error) {
	o := &office{planID: planID}
	if content == nil {
		err := o.open("")
		if err == nil {
			err = o.plan()
			o.services = append(o.services, o.services[0])
		}
		return o, err
	}
	o.file = filepath.Join(t.TempDir(), "plans.db")
	err := os.WriteFile(o.file, content, 0o600)
	for range 2 {
		if err == nil {
			err = o.open("sqlite:///" + o.file)
		}
	}
	return o, err
}

// open opens a service with engines of its own. Its clock stands still, long ago: claims must not depend on it.
func (o *office) open(url string) error {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
	if err != nil {
		return err
	}
	o.engines = append(o.engines, engines)
	s, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url, Engines: engines, Clock: func() time.Time { return time.UnixMicro(1) }})
	if err == nil {
		o.services = append(o.services, s)
	}
	return err
}

func (o *office) plan() error {
	ctx := context.Background()
	_, err := o.services[0].CreateAction(ctx, lifecycle.ActionSpec{
		Name: "weave", Reusable: true, Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
	})
	if err != nil {
		return err
	}
	p, err := o.services[0].UseAction(ctx, "weave", lifecycle.UseOptions{})
	o.planID = p.ID
	return err
}

func (o *office) close() error {
	var all []error
	for _, s := range o.services {
		if err := s.Close(); !errors.Is(err, lifecycle.ErrClosed) { // both may be the same service
			all = append(all, err)
		}
	}
	for _, e := range o.engines {
		all = append(all, e.Close())
	}
	return errors.Join(all...)
}

// How long a claim lasts, and how long a worker waits for it to expire.
const (
	claimTime = time.Hour
	afterThat = 2 * time.Hour
)

// wait returns when every claim has expired. A file uses the machine's clock, for which a test cannot wait, so another
// connection sets the end of the claim to a time in the past.
func (o *office) wait(ctx context.Context) error {
	if o.file == "" {
		time.Sleep(afterThat)
		return nil
	}
	db, err := sql.Open("sqlite", "file:"+o.file)
	if err != nil {
		return err
	}
	for {
		_, err = db.ExecContext(ctx, `UPDATE plans SET claim_expires = 2 WHERE claim_holder <> ''`)
		var refused interface{ Code() int }
		if !errors.As(err, &refused) || refused.Code()&0xff != locked {
			return errors.Join(err, db.Close())
		}
		time.Sleep(time.Millisecond)
	}
}

// locked is SQLite's code for a file that another connection is writing to.
const locked = 5

// A tenure is the last claim of a plan. It is the model's state and does not use package lifecycle.
type tenure struct {
	fence  int64
	stands bool
}

// A claimRequest is a call with the caller's fence, or 0 for none.
type claimRequest struct {
	call  string
	fence int64
}

// A claimAnswer is the result of a call: the fence of the new claim or the caller's, or, if it was refused, that of the last claim.
type claimAnswer struct {
	refused bool
	fence   int64
}

// claimed applies a call to the last claim. Waiting ends the claim, whoever has it. A worker may give back a claim that has expired, or
// that was given back before, as long as nobody has claimed the plan since.
func claimed(last tenure, in claimRequest) (tenure, claimAnswer) {
	mine := in.fence == last.fence
	ok := false
	switch in.call {
	case "claim":
		if ok = !last.stands; ok {
			last = tenure{last.fence + 1, true}
		}
	case "renew":
		ok = mine && last.stands
	case "release":
		if ok = mine; ok {
			last.stands = false
		}
	case "write":
		ok = mine && last.stands || in.fence == 0 && !last.stands
	case "wait":
		last.stands, ok = false, true
	}
	if ok && in.call != "claim" {
		return last, claimAnswer{fence: in.fence}
	}
	return last, claimAnswer{!ok, last.fence}
}

// playClaims lets two workers of one name claim a plan, renew, release and write under their last claim, their first or none, and wait
// until every claim has expired. In every order one claim is valid at a time, and only its holder writes.
func playClaims(t *explore.T, o *office) play {
	var had [2][]lifecycle.Claim // by task; each task uses only its own
	h := explore.NewHistory(t, explore.Model[tenure, claimRequest, claimAnswer]{Step: claimed})
	do := func(call string, apply func(by int, c lifecycle.Claim) (lifecycle.Claim, error)) func(step) {
		return func(by step) {
			c := lifecycle.Claim{PlanID: o.planID}
			if mine := had[by.task]; len(mine) > 0 && by.arg%4 != 3 {
				c = mine[len(mine)-1]
				if by.arg%4 == 2 {
					c = mine[0]
				}
			}
			h.Do(claimRequest{call, c.Fence}, func(claimRequest) claimAnswer {
				got, err := apply(by.task, c)
				var other *lifecycle.ClaimedError
				if errors.As(err, &other) {
					return claimAnswer{true, other.Claim.Fence}
				}
				if err != nil {
					t.Errorf("%s: got error %v, want none or a ClaimedError", call, err)
				}
				return claimAnswer{fence: got.Fence}
			})
		}
	}
	return play{2, []func(step){
		do("claim", func(by int, _ lifecycle.Claim) (lifecycle.Claim, error) {
			c, err := o.services[by].Claim(t.Context(), o.planID, "weaver", claimTime)
			if err == nil {
				had[by] = append(had[by], c)
			}
			return c, err
		}),
		do("renew", func(by int, c lifecycle.Claim) (lifecycle.Claim, error) {
			return o.services[by].Renew(t.Context(), c, claimTime)
		}),
		do("release", func(by int, c lifecycle.Claim) (lifecycle.Claim, error) {
			return c, o.services[by].Release(t.Context(), c)
		}),
		do("write", func(by int, c lifecycle.Claim) (lifecycle.Claim, error) {
			_, err := o.services[by].ExecutionContext(o.planID).Under(c).StartChangeset(t.Context())
			return c, err
		}),
		do("wait", func(_ int, c lifecycle.Claim) (lifecycle.Claim, error) {
			return c, o.wait(t.Context())
		}),
	}, h.Check}
}

// The model of claims gives these results. They are written down independently.
func TestClaimed(t *testing.T) {
	for _, c := range []struct {
		last tenure
		in   claimRequest
		want tenure
		says claimAnswer
	}{
		{tenure{}, claimRequest{"claim", 0}, tenure{1, true}, claimAnswer{false, 1}},
		{tenure{1, true}, claimRequest{"claim", 1}, tenure{1, true}, claimAnswer{true, 1}},
		{tenure{1, false}, claimRequest{"claim", 0}, tenure{2, true}, claimAnswer{false, 2}},
		{tenure{2, true}, claimRequest{"renew", 1}, tenure{2, true}, claimAnswer{true, 2}},
		{tenure{2, true}, claimRequest{"release", 1}, tenure{2, true}, claimAnswer{true, 2}},
		{tenure{2, false}, claimRequest{"release", 2}, tenure{2, false}, claimAnswer{false, 2}},
		{tenure{2, true}, claimRequest{"write", 0}, tenure{2, true}, claimAnswer{true, 2}},
		{tenure{2, false}, claimRequest{"write", 2}, tenure{2, false}, claimAnswer{true, 2}},
		{tenure{2, false}, claimRequest{"write", 0}, tenure{2, false}, claimAnswer{}},
		{tenure{2, true}, claimRequest{"wait", 1}, tenure{2, false}, claimAnswer{false, 1}},
	} {
		got, says := claimed(c.last, c.in)
		if got != c.want || says != c.says {
			t.Errorf("%v after %v: got %v and %v, want %v and %v", c.in, c.last, got, says, c.want, c.says)
		}
	}
}
