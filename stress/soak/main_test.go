package soak_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// roleVariable makes this test binary a process of a soak, in a role.
const roleVariable = "JACQUARD_TEST_SOAK"

// The roles.
const (
	worker    = "worker"    // does its job
	forgetful = "forgetful" // acknowledges a change that it does not make
	reportR6  = "R6"        // the documented races as reported, see specimens_test.go
	reportR7  = "R7"
	reportN2  = "N2"
	reportN3  = "N3"
	reportN10 = "N10"
	twoJobs   = "two jobs"  // as #7357: every worker that has seen a job may begin it
	lateJobs  = "late jobs" // as #4372: every worker that has begun a job may end it
	twoLocks  = "two locks" // as #9638: every owner that has looked at a lock takes it
	ownClock  = "own clock" // an expired claim is judged by the clock of the process that wants it
	anyOrder  = "any order" // subplans are not merged in the given order
	twice     = "twice"     // subplans are merged twice
	unmerged  = "unmerged"  // subplans are not merged
	mute      = "mute"      // prints nothing and hangs
	crasher   = "crasher"   // crashes at once
	deaf      = "deaf"      // does not read its job, and crashes
	liar      = "liar"      // reads another clock
)

// TestMain runs the tests, or plays a role.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

func play(role string) int {
	openers := map[string]soak.Opener{
		worker:    nil,
		forgetful: opener(0, func(s *lifecycle.Service) soak.Service { return forgetfulService{s} }),
		reportR6:  opener(time.Hour, func(s *lifecycle.Service) soak.Service { return staleService{s} }),
		reportR7:  opener(0, func(s *lifecycle.Service) soak.Service { return overwritingService{s} }),
		reportN2:  opener(0, func(s *lifecycle.Service) soak.Service { return newHastyService(s) }),
		reportN3:  opener(0, func(s *lifecycle.Service) soak.Service { return lateService{s} }),
		reportN10: opener(0, func(s *lifecycle.Service) soak.Service { return unfencedService{s} }),
		twoJobs:   opener(0, func(s *lifecycle.Service) soak.Service { return instead{Service: s, jobs: beginAnyJob} }),
		lateJobs:  opener(0, func(s *lifecycle.Service) soak.Service { return instead{Service: s, jobs: endAnyJob} }),
		twoLocks:  opener(0, func(s *lifecycle.Service) soak.Service { return instead{Service: s, locks: takeAnyLock} }),
		ownClock:  openOwnClock,
		anyOrder:  executes(mergeAnyhow),
		twice:     executes(mergeTwice),
		unmerged:  executes(mergeNothing),
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
	case role == deaf:
		_ = os.Stdin.Close()
		fallthrough
	case role == crasher:
		panic("planted")
	}
	return 0
}

// opener returns an opener of the real service with a fault that around adds. The parent does not know maxAge.
func opener(maxAge time.Duration, around func(*lifecycle.Service) soak.Service) soak.Opener {
	return func(ctx context.Context, cfg lifecycle.Config) (soak.Service, error) {
		if maxAge > 0 {
			cfg.MaxAge = maxAge
		}
		s, err := lifecycle.Open(ctx, cfg)
		if err != nil {
			return nil, err
		}
		return around(s), nil
	}
}

// executes returns an opener of a service that executes subplans with run, which is faulty.
func executes(run soak.Runner) soak.Opener {
	return opener(0, func(s *lifecycle.Service) soak.Service { return instead{Service: s, subplans: run} })
}

// forgetfulService acknowledges that an action is archived without archiving it.
type forgetfulService struct{ *lifecycle.Service }

func (s forgetfulService) ArchiveAction(ctx context.Context, name string) (lifecycle.Action, error) {
	a, err := s.GetAction(ctx, name)
	a.State = lifecycle.ActionArchived
	return a, err
}

// config returns a Config of a short soak whose processes are this test binary in a role.
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
