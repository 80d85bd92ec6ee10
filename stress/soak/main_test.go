package soak_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// roleVariable makes this test binary a process of a soak, and says of which kind.
const roleVariable = "JACQUARD_TEST_SOAK"

// The roles.
const (
	worker    = "worker"    // does its job
	stale     = "stale"     // serves plans from its cache without asking
	forgetful = "forgetful" // acknowledges what it does not do
	generous  = "generous"  // tells the loser of a transition that it has won
	mute      = "mute"      // says and does nothing, for ever
	crasher   = "crasher"   // ends by itself
	liar      = "liar"      // reads another clock
)

// TestMain runs the tests, or is a process.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

func play(role string) int {
	openers := map[string]soak.Opener{
		worker:    nil,
		stale:     opener(func(s *lifecycle.Service) soak.Service { return staleService{s} }),
		forgetful: opener(func(s *lifecycle.Service) soak.Service { return forgetfulService{s} }),
		generous:  opener(func(s *lifecycle.Service) soak.Service { return generousService{s} }),
	}
	open, works := openers[role]
	switch {
	case works:
		if err := soak.Work(context.Background(), open, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	case role == mute:
		time.Sleep(time.Hour)
	case role == liar:
		fmt.Println(`{"clock": 1}`)
		time.Sleep(time.Hour)
	case role == crasher:
		panic("planted")
	}
	return 0
}

// opener opens the real service, with something around it that is to be found wrong.
func opener(around func(*lifecycle.Service) soak.Service) soak.Opener {
	return func(ctx context.Context, cfg lifecycle.Config) (soak.Service, error) {
		cfg.MaxAge = time.Hour // which the parent does not know
		s, err := lifecycle.Open(ctx, cfg)
		if err != nil {
			return nil, err
		}
		return around(s), nil
	}
}

// staleService answers from its cache at the default level without a proof that it is current, as the reported service did.
type staleService struct{ *lifecycle.Service }

func (s staleService) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	return s.Service.Recent().GetPlan(ctx, id)
}

// forgetfulService acknowledges the archiving of an action and leaves it.
type forgetfulService struct{ *lifecycle.Service }

func (s forgetfulService) ArchiveAction(ctx context.Context, name string) (lifecycle.Action, error) {
	a, err := s.GetAction(ctx, name)
	a.State = lifecycle.ActionArchived
	return a, err
}

// generousService takes a lost transition for a won one.
type generousService struct{ *lifecycle.Service }

func (s generousService) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	p, err := s.Service.Transition(ctx, r)
	if errors.Is(err, lifecycle.ErrConflict) {
		return s.GetPlan(ctx, r.PlanID)
	}
	return p, err
}

// config is a Config of a short soak whose processes are this test binary in a role.
func config(t *testing.T, role string) soak.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return soak.Config{
		Command: []string{self}, Env: []string{roleVariable + "=" + role},
		Time: 3 * time.Second, KillEvery: 400 * time.Millisecond, Relaxed: true,
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
