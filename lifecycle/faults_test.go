package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// faulty opens a service on a new file, with fault injection that is not armed.
func faulty(t *testing.T, url string) (*lifecycle.Service, *storetest.Faults) {
	t.Helper()
	f := storetest.NewFaults(t, url)
	s, err := lifecycle.OpenOn(context.Background(), f, url, lifecycle.EnginesConfig{RelaxedDurability: true})
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s, f
}

// Every driver step of every call fails once. The call returns an error and has
// changed nothing (N2), and the service works afterwards.
func TestEveryFaultChangesNothing(t *testing.T) {
	names := calls(open(t, lifecycle.Config{}), lifecycle.Plan{}, "")
	for name := range names {
		t.Run(name, func(t *testing.T) {
			for at := 1; ; at++ {
				if !faultAt(t, name, at) {
					break
				}
			}
		})
	}
}

// faultAt makes a call with one failing step. It reports whether there is such a
// step.
func faultAt(t *testing.T, name string, at int) bool {
	t.Helper()
	s, f := faulty(t, storetest.FileURL(t))
	p, changeset := populated(t, s)
	check(t, ignore(s.CreateAction(context.Background(), spec("spare"))))  // to be deleted
	check(t, ignore(s.Cancel(context.Background(), newPlan(t, s).ID, ""))) // to be archived
	before := state(t, s)
	call := calls(s, p, changeset)[name]
	f.Arm(at, storetest.ErrInjected)
	err := call(context.Background())
	fired, _ := f.Disarm()
	if !fired {
		check(t, err)
		return false
	}
	if !errors.Is(err, storetest.ErrInjected) {
		t.Errorf("step %d failed: got %v, want the fault", at, err)
	}
	if after := state(t, s); after != before {
		t.Errorf("step %d failed with %v: got\n%s\nwant it unchanged:\n%s", at, err, after, before)
	}
	if err := call(context.Background()); err != nil {
		t.Errorf("step %d: got %v, want the call to succeed afterwards", at, err)
	}
	check(t, s.Close())
	return true
}

// Every step of opening a new database fails once. Opening fails, unless goose
// retries the step. Then the next one to open it finds no schema or a complete
// one.
func TestEveryFaultOfOpening(t *testing.T) {
	ctx := context.Background()
	_, f := faulty(t, storetest.FileURL(t))
	_, steps := f.Disarm()
	if steps < 20 {
		t.Errorf("got %d steps, want more, with those of goose", steps)
	}
	for at := 1; at <= steps; at++ {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel() // goose waits for a second before a retry
			url := storetest.FileURL(t)
			f := storetest.NewFaults(t, url)
			f.Arm(at, storetest.ErrInjected)
			s, err := lifecycle.OpenOn(ctx, f, url, lifecycle.EnginesConfig{RelaxedDurability: true})
			if fired, _ := f.Disarm(); !fired {
				t.Errorf("got no step %d, and %v from opening", at, err)
			}
			switch {
			case err == nil:
				check(t, s.Close())
			case !errors.Is(err, storetest.ErrInjected):
				t.Errorf("got %v, want it to wrap %v", err, storetest.ErrInjected)
			}
			again := open(t, lifecycle.Config{URL: url})
			newPlan(t, again)
			check(t, again.Close())
		})
	}
}

// If a rollback fails too, its connection is closed, so no transaction stays
// open.
func TestFailedRollback(t *testing.T) {
	ctx := context.Background()
	url := storetest.FileURL(t)
	s, f := faulty(t, url)
	p, _ := populated(t, s)
	other := open(t, lifecycle.Config{URL: url})
	check(t, ignore(s.ExecutionContext(p.ID).StartChangeset(ctx))) // prepares the statements
	f.Arm(0, nil)
	check(t, ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)))
	_, steps := f.Disarm()
	before := state(t, s)

	f.Arm(steps, storetest.ErrInjected) // the last step, which is the COMMIT
	f.KeepFailing()
	if err := ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)); !errors.Is(err, storetest.ErrInjected) {
		t.Errorf("got %v, want %v", err, storetest.ErrInjected)
	}
	f.Disarm()
	if after := state(t, other); after != before {
		t.Errorf("got %s\nwant %s", after, before)
	}
	check(t, ignore(other.ExecutionContext(p.ID).StartChangeset(ctx))) // nothing is locked
	check(t, ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)))
}

func ignore(_ any, err error) error { return err }

// A cached read costs one query of the data version, after any number of reads.
func TestCachedReadAsksForTheVersionOnly(t *testing.T) {
	ctx := context.Background()
	s, f := faulty(t, storetest.FileURL(t))
	p := newPlan(t, s)
	for name, read := range map[string]func() error{
		"get plan":     func() error { return ignore(s.GetPlan(ctx, p.ID)) },
		"get action":   func() error { return ignore(s.GetAction(ctx, "build")) },
		"list plans":   func() error { return ignore(s.ListPlans(ctx)) },
		"list actions": func() error { return ignore(s.ListActions(ctx)) },
	} {
		count := func() int {
			f.Arm(0, nil)
			check(t, read())
			_, steps := f.Disarm()
			return steps
		}
		count()
		if cached := count(); cached != 1 {
			t.Errorf("%s: got %d steps for what is cached, want 1", name, cached)
		}
		check(t, ignore(s.ExecutionContext(p.ID).StartChangeset(ctx)))
		if fresh := count(); fresh <= 1 {
			t.Errorf("%s: got %d steps after a commit, want it read again", name, fresh)
		}
	}
}

// A long listing does not delay the check that a cached value is current.
func TestProofDoesNotWaitForReaders(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, f := faulty(t, storetest.FileURL(t))
	p := newPlan(t, s)
	check(t, ignore(s.GetPlan(ctx, p.ID)))
	began, release := f.Block()
	listed := make(chan error, 1)
	go func() { listed <- ignore(s.ExecutionContext(p.ID).Changesets(ctx)) }()
	<-began
	err := ignore(s.GetPlan(ctx, p.ID))
	release()
	check(t, errors.Join(err, <-listed))
}

// Invalid rows that were written past the service are refused.
func TestCorruptedRows(t *testing.T) {
	ctx := context.Background()
	corrupt := lifecycle.ErrCorrupt
	for update, want := range map[string]error{
		"UPDATE plans SET document = '{'":                  corrupt,
		"UPDATE actions SET document = '{'":                corrupt,
		"UPDATE plans SET document = '{\"name\":\"a b\"}'": corrupt,
		"PRAGMA foreign_keys = OFF; UPDATE actions SET name = 'a b'; UPDATE plans SET action_name = 'a b'":         corrupt,
		`UPDATE actions SET document = '{"arguments":[{"name":"a","type":"string","pattern":"(","default":"x"}]}'`: lifecycle.ErrInvalid,
	} {
		url := storetest.FileURL(t)
		s := open(t, lifecycle.Config{URL: url})
		p := newPlan(t, s)
		check(t, withSQL(url, func(db sqlDB) error { return ignore(db.Exec(update)) }))
		_, list := s.ListActions(ctx)
		_, get := s.GetPlan(ctx, p.ID)
		_, use := s.UseAction(ctx, "build", lifecycle.UseOptions{Arguments: map[string]string{"a": "b"}})
		told := false
		for _, err := range []error{list, get, use} {
			told = told || errors.Is(err, want)
			if errors.Is(err, corrupt) {
				failsAs(t, update, url, err, corrupt)
			}
		}
		if !told {
			t.Errorf("%s: got %v, %v, %v, want %v among them", update, list, get, use, want)
		}
	}
}
