package soak_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// The checks of claims, jobs and locks.
const (
	oneHas   = "nobody gets what another has"
	notLate  = "nothing is accepted of a late holder"
	isNamed  = "who is refused is told who has it"
	jobsOnce = "no job is lost, and none succeeds twice"
)

// gets records that a process got subject. from and until are seconds of the database's clock.
func (s *story) gets(kind soak.Kind, subject string, fence, from, until int64) *soak.Told {
	a := soak.Answer{Outcome: soak.OK, Fence: fence, From: from * 1e6, Until: until * 1e6}
	c := soak.Call{Kind: kind, Subject: subject}
	if kind == soak.ClaimJob {
		c.Subject, a.ID = "", subject
	}
	x := s.Claim(1, c, a)
	x.Answer().Holder = x.Label()
	return x
}

// does records a call with a fence that was accepted.
func (s *story) does(kind soak.Kind, subject string, fence int64) *soak.Told {
	return s.Claim(1, soak.Call{Kind: kind, Subject: subject, Fence: fence}, soak.Answer{Outcome: soak.OK, ID: subject})
}

// refused records that a process was refused subject, with the holder that it was told.
func (s *story) refused(kind soak.Kind, subject string, fence int64, holder string) *soak.Told {
	return s.Claim(2, soak.Call{Kind: kind, Subject: subject}, soak.Answer{Outcome: soak.Held, Fence: fence, Holder: holder})
}

// submits records the submission of a job, and returns the job's final state if no worker took it.
func (s *story) submits(id string) jobs.Job {
	x := s.Claim(1, soak.Call{Kind: soak.SubmitJob}, soak.Answer{Outcome: soak.OK, ID: id})
	return jobs.Job{ID: id, State: jobs.Queued, Payload: []byte(x.Label())}
}

// Correct and incorrect histories of claims, jobs and locks, with the checks that reject them and the reported problem.
func TestTenures(t *testing.T) {
	const lock, job = "loom", "J"
	for _, c := range []struct {
		name string
		tell func(s *story)
		want []string // the checks that fail
		what string   // part of the problem
	}{
		{"locks in turn", func(s *story) {
			s.gets(soak.AcquireLock, lock, 1, 10, 15)
			s.does(soak.RenewLock, lock, 1).Answer().Until = 20e6
			two := s.gets(soak.AcquireLock, lock, 2, 20, 25)
			s.refused(soak.RenewLock, lock, 2, two.Label())
			s.does(soak.ReleaseLock, lock, 2)
			s.refused(soak.RenewLock, lock, 2, "")
			s.gets(soak.AcquireLock, lock, 3, 21, 26)
			s.Ends(s.a, 0, nil, lock, 3)
		}, nil, ""},
		{"a lock got by who was killed", func(s *story) {
			one := s.gets(soak.AcquireLock, lock, 1, 10, 15)
			one.CutOff()
			s.refused(soak.AcquireLock, lock, 1, one.Label())
			s.gets(soak.AcquireLock, lock, 2, 15, 20)
			s.Ends(s.a, 0, nil, lock, 2)
		}, nil, ""},
		{"a late use that was under way", func(s *story) {
			s.gets(soak.AcquireLock, lock, 1, 10, 15)
			use := s.does(soak.RenewLock, lock, 1)
			s.gets(soak.AcquireLock, lock, 2, 15, 20)
			from, _ := use.At()
			use.Lasted(from, s.Now()+1)
			s.Ends(s.a, 0, nil, lock, 2)
		}, nil, ""},
		{"the same number", func(s *story) {
			s.gets(soak.AcquireLock, lock, 1, 10, 15)
			s.gets(soak.AcquireLock, lock, 1, 15, 20)
			s.Ends(s.a, 0, nil, lock, 1)
		}, []string{oneHas}, "two got it under 1"},
		{"a smaller number", func(s *story) {
			s.gets(soak.AcquireLock, lock, 2, 10, 15)
			s.gets(soak.AcquireLock, lock, 1, 15, 20)
			s.Ends(s.a, 0, nil, lock, 2)
		}, []string{oneHas}, "under a greater number"},
		{"a number that is lost", func(s *story) {
			s.gets(soak.ClaimPlan, s.a, 2, 0, 0)
			s.Ends(s.a, 1, nil, lock, 0)
		}, []string{oneHas}, "at the end the number is 1"},
		{"another's name", func(s *story) {
			s.gets(soak.ClaimPlan, s.a, 1, 0, 0).Answer().Holder = "9.9.9"
			s.Ends(s.a, 1, nil, lock, 0)
		}, []string{oneHas}, "under the name of 9.9.9"},
		{"too early", func(s *story) {
			s.gets(soak.AcquireLock, lock, 1, 10, 15)
			s.gets(soak.AcquireLock, lock, 2, 14, 19)
			s.Ends(s.a, 0, nil, lock, 2)
		}, []string{oneHas}, "1000000 µs before"},
		{"a late use", func(s *story) {
			s.gets(soak.ClaimPlan, s.a, 1, 0, 0)
			s.gets(soak.ClaimPlan, s.a, 2, 0, 0)
			s.does(soak.RenewClaim, s.a, 1)
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{notLate}, "renew claim under 1, was accepted"},
		{"a late use after a refusal", func(s *story) {
			s.gets(soak.ClaimPlan, s.a, 1, 0, 0)
			two := s.gets(soak.ClaimPlan, s.a, 2, 0, 0)
			two.CutOff()
			s.refused(soak.ClaimPlan, s.a, 2, two.Label())
			s.does(soak.EndClaim, s.a, 1)
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{notLate}, "release claim under 1, was accepted"},
		{"a late change", func(s *story) {
			set := s.plan(1, soak.StartChangeset)
			set.Under(1)
			s.plan(1, soak.RecordChange).Under(2)
			s.plan(1, soak.RecordChange).Under(1)
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{notLate}, "under 1 was committed after"},
		{"a late transition", func(s *story) {
			s.move(1, s.a, lifecycle.CommandStartStrategize).Under(2)
			s.move(1, s.a, lifecycle.CommandCompleteStrategize).Under(1)
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{notLate}, "under 1 was committed after"},
		{"told of one who is gone", func(s *story) {
			one := s.gets(soak.ClaimPlan, s.a, 1, 0, 0)
			s.gets(soak.ClaimPlan, s.a, 2, 0, 0)
			s.refused(soak.ClaimPlan, s.a, 1, one.Label())
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{isNamed}, "was told of 1, when"},
		{"told of nobody", func(s *story) {
			s.refused(soak.ClaimPlan, s.a, 1, "9.9.9")
			s.Ends(s.a, 1, nil, lock, 0)
		}, []string{isNamed}, "who has not asked"},
		{"told of who was refused", func(s *story) {
			one := s.gets(soak.ClaimPlan, s.a, 1, 0, 0)
			two := s.refused(soak.ClaimPlan, s.a, 1, one.Label())
			s.refused(soak.ClaimPlan, s.a, 2, two.Label())
			s.Ends(s.a, 2, nil, lock, 0)
		}, []string{isNamed}, "who has not got it"},
		{"jobs in turn", func(s *story) {
			j := s.submits(job)
			s.gets(soak.ClaimJob, job, 1, 10, 15)
			s.does(soak.FailJob, job, 1)
			s.gets(soak.ClaimJob, job, 2, 11, 16)
			done := s.does(soak.SucceedJob, job, 2)
			j.State, j.Fence, j.Result = jobs.Succeeded, 2, []byte(done.Label())
			s.Ends(s.a, 0, []jobs.Job{j, s.submits("K")}, lock, 0)
		}, nil, ""},
		{"a success that may have been", func(s *story) {
			j := s.submits(job)
			s.gets(soak.ClaimJob, job, 1, 10, 15)
			done := s.does(soak.SucceedJob, job, 1)
			done.CutOff()
			j.State, j.Fence, j.Result = jobs.Succeeded, 1, []byte(done.Label())
			s.Ends(s.a, 0, []jobs.Job{j}, lock, 0)
		}, nil, ""},
		{"two successes", func(s *story) {
			j := s.submits(job)
			s.gets(soak.ClaimJob, job, 1, 10, 15)
			s.does(soak.SucceedJob, job, 1)
			done := s.does(soak.SucceedJob, job, 1)
			j.State, j.Fence, j.Result = jobs.Succeeded, 1, []byte(done.Label())
			s.Ends(s.a, 0, []jobs.Job{j}, lock, 0)
		}, []string{jobsOnce}, "has succeeded twice"},
		{"a success that is lost", func(s *story) {
			j := s.submits(job)
			s.gets(soak.ClaimJob, job, 1, 10, 15)
			s.does(soak.SucceedJob, job, 1)
			j.State, j.Fence = jobs.Running, 1
			s.Ends(s.a, 0, []jobs.Job{j}, lock, 0)
		}, []string{jobsOnce}, "at the end it is running"},
		{"another's result", func(s *story) {
			j := s.submits(job)
			s.gets(soak.ClaimJob, job, 1, 10, 15)
			s.does(soak.SucceedJob, job, 1)
			j.State, j.Fence, j.Result = jobs.Succeeded, 1, []byte("9.9.9")
			s.Ends(s.a, 0, []jobs.Job{j}, lock, 0)
		}, []string{jobsOnce}, "which nobody had a right to"},
		{"a job that is lost", func(s *story) {
			s.submits(job)
			s.Ends(s.a, 0, nil, lock, 0)
		}, []string{jobsOnce}, "was submitted, and is not there"},
		{"a job of nobody's", func(s *story) {
			s.Ends(s.a, 0, []jobs.Job{{ID: job, Payload: []byte("9.9.9")}}, lock, 0)
		}, []string{jobsOnce}, "nobody has submitted it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.tell(s)
			r := s.Judge(time.Hour)
			if got := wrong(r); !slices.Equal(got, c.want) {
				t.Errorf("got wrong %q, want %q: %+v", got, c.want, problems(r))
			}
			told := ""
			for _, p := range problems(r) {
				told += p.What + "\n"
			}
			if !strings.Contains(told, c.what) {
				t.Errorf("got told %q, want %q", told, c.what)
			}
		})
	}
}
