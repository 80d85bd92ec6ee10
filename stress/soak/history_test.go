package soak_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// story is a tale of a service in memory with an action and two plans.
type story struct {
	*soak.Tale
	t    *testing.T
	a, b string // plans
}

func newStory(t *testing.T) *story {
	t.Helper()
	s, err := soak.Open(t.Context(), lifecycle.Config{})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	tale := soak.NewTale(s)
	tale.Do(1, soak.Call{Kind: soak.CreateAction, Subject: "soak/build"})
	a := tale.Do(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"})
	b := tale.Do(2, soak.Call{Kind: soak.UseAction, Subject: "soak/build"})
	return &story{tale, t, a.Answer().Plan.ID, b.Answer().Plan.ID}
}

// move makes a transition of a plan, which must succeed.
func (s *story) move(process int, plan string, c lifecycle.Command) *soak.Told {
	s.t.Helper()
	x := s.Do(process, soak.Call{Kind: soak.MovePlan, Subject: plan, Command: c})
	if x.Answer().Outcome != soak.OK {
		s.t.Fatalf("%s: got %+v, want success", c, x.Answer())
	}
	return x
}

// plan makes a call on plan a.
func (s *story) plan(process int, kind soak.Kind) *soak.Told {
	return s.Do(process, soak.Call{Kind: kind, Subject: s.a})
}

// apply moves plan a to applied, and returns the last transition.
func (s *story) apply() (last *soak.Told) {
	for _, c := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
		lifecycle.CommandStartExecute, lifecycle.CommandCompleteExecute, lifecycle.CommandApplyPlan,
		lifecycle.CommandStartApply, lifecycle.CommandCompleteApply,
	} {
		last = s.move(1, s.a, c)
	}
	return last
}

// The beginnings of the checks' names.
const (
	there        = "every acknowledged write"
	once         = "no plan was applied"
	placed       = "every change"
	ordered      = "changes are in the order"
	snapshot     = "every listing"
	young        = "every recent read"
	namedError   = "every error"
	linearizable = "linearizable"
)

const maxAge = 10 * time.Second // each call advances the clock by two seconds

// Correct histories, and altered ones with the checks that reject them.
func TestHistories(t *testing.T) {
	for _, c := range []struct {
		name string
		tell func(s *story)
		want []string
	}{
		{"a life", func(s *story) { s.apply(); s.plan(2, soak.GetPlan); s.Do(2, soak.Call{Kind: soak.ListPlans}) }, nil},
		{"changes", tellChanges, nil},
		{"cut off and done", func(s *story) {
			s.plan(1, soak.StartChangeset).CutOff()
			s.plan(2, soak.RecordChange).CutOff()
			s.plan(2, soak.ListChangesets)
			s.move(1, s.a, lifecycle.CommandStartStrategize).CutOff()
			s.plan(2, soak.GetPlan)
			s.Do(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"}).CutOff()
			s.Do(1, soak.Call{Kind: soak.CreateAction, Subject: "soak/test"}).CutOff()
			s.Do(2, soak.Call{Kind: soak.GetAction, Subject: "soak/test"})
			s.Do(1, soak.Call{Kind: soak.ArchiveAction, Subject: "soak/build"}).CutOff()
			s.Do(1, soak.Call{Kind: soak.GetAction, Subject: "soak/build"})
		}, nil},
		{"cut off and not done", func(s *story) {
			for _, kind := range []soak.Kind{soak.StartChangeset, soak.RecordChange, soak.GetPlan} {
				s.Claim(1, soak.Call{Kind: kind, Subject: s.a}, soak.Answer{}).CutOff()
			}
			s.Claim(1, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandStartStrategize}, soak.Answer{}).CutOff()
			s.Claim(1, soak.Call{Kind: soak.ArchiveAction, Subject: "soak/build"}, soak.Answer{}).CutOff()
			s.Claim(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"}, soak.Answer{}).CutOff()
			s.plan(2, soak.GetPlan)
		}, nil},
		{"a cut off effect that comes late", func(s *story) {
			before := s.plan(2, soak.GetPlan)
			from, _ := before.At()
			moved := s.move(1, s.a, lifecycle.CommandStartStrategize)
			moved.CutOff()
			moved.Lasted(from-1, 1<<63-1)
			s.plan(2, soak.GetPlan)
		}, nil},
		{"reads that overlap the change", func(s *story) {
			old := s.plan(2, soak.GetPlan)
			from, _ := old.At()
			_, until := s.move(1, s.a, lifecycle.CommandStartStrategize).At()
			old.Lasted(from, until)
		}, nil},
		{"many cut off uses, half of them late", func(s *story) { s.usesCutOff() }, nil},

		{"many cut off uses, half of them late, and a reading of the past", func(s *story) {
			s.Claim(2, soak.Call{Kind: soak.GetAction, Subject: "soak/build"}, s.usesCutOff())
		}, []string{linearizable}},
		{"a lost change", func(s *story) {
			set := s.plan(1, soak.StartChangeset).Answer().ID
			s.Claim(2, soak.Call{Kind: soak.RecordChange, Subject: s.a}, soak.Answer{Outcome: soak.OK, ID: set})
		}, []string{there, linearizable}},
		{"a lost plan", func(s *story) {
			s.Claim(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"}, soak.Answer{
				Outcome: soak.OK, Plan: &soak.PlanView{ID: "lost", Version: 1, At: "strategize/queued", Attempt: 1},
			})
		}, []string{there, snapshot, linearizable}},
		{"a lost action", func(s *story) {
			s.Claim(1, soak.Call{Kind: soak.CreateAction, Subject: "soak/test"}, soak.Answer{Outcome: soak.OK, Action: &soak.ActionView{Name: "soak/test"}})
		}, []string{there, snapshot, linearizable}},
		{"a lost transition", func(s *story) {
			view := *s.plan(1, soak.GetPlan).Answer().Plan
			view.Version, view.At = 2, "strategize/processing"
			s.Claim(1, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandStartStrategize}, soak.Answer{Outcome: soak.OK, Plan: &view})
		}, []string{there, once, snapshot, linearizable}},
		{"a lost changeset", func(s *story) {
			s.Claim(1, soak.Call{Kind: soak.StartChangeset, Subject: s.a}, soak.Answer{Outcome: soak.OK, ID: "lost"})
		}, []string{there, linearizable}},
		{"a lost finish", func(s *story) {
			set := s.plan(1, soak.StartChangeset).Answer().ID
			s.Claim(1, soak.Call{Kind: soak.FinishChangeset, Subject: s.a, Changeset: set}, soak.Answer{Outcome: soak.OK})
		}, []string{there, linearizable}},
		{"a refused change that is there", func(s *story) {
			s.plan(1, soak.StartChangeset)
			s.plan(1, soak.RecordChange).Answer().Outcome = soak.GaveUp
		}, []string{placed, linearizable}},
		{"a refused plan that is there", func(s *story) {
			x := s.Do(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"})
			*x.Answer() = soak.Answer{At: x.Answer().At, Outcome: soak.GaveUp}
		}, []string{there, linearizable}},

		{"a stale read", func(s *story) {
			old := s.plan(2, soak.GetPlan)
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.Claim(2, soak.Call{Kind: soak.GetPlan, Subject: s.a}, *old.Answer())
		}, []string{linearizable}},
		{"a stale refusal", func(s *story) {
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.Claim(2, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandApplyPlan},
				soak.Answer{Outcome: soak.InvalidTransition, Found: "strategize/queued"})
		}, []string{linearizable}},
		{"a stale reading of an action", func(s *story) {
			old := s.Do(2, soak.Call{Kind: soak.GetAction, Subject: "soak/build"})
			s.Do(1, soak.Call{Kind: soak.ArchiveAction, Subject: "soak/build"})
			s.Claim(2, soak.Call{Kind: soak.GetAction, Subject: "soak/build"}, *old.Answer())
		}, []string{linearizable}},
		{"a stale listing of changesets", func(s *story) {
			s.plan(1, soak.StartChangeset)
			old := s.plan(2, soak.ListChangesets)
			s.plan(1, soak.RecordChange)
			s.Claim(2, soak.Call{Kind: soak.ListChangesets, Subject: s.a}, *old.Answer())
		}, []string{linearizable}},
		{"a stale listing of plans", func(s *story) {
			old := s.Do(2, soak.Call{Kind: soak.ListPlans})
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.Claim(2, soak.Call{Kind: soak.ListPlans}, *old.Answer())
		}, []string{snapshot, linearizable}},
		{"a listing of plans from the future", func(s *story) {
			early := s.Do(2, soak.Call{Kind: soak.ListPlans})
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			early.Answer().Plans = s.Do(2, soak.Call{Kind: soak.ListPlans}).Answer().Plans
		}, []string{snapshot, linearizable}},
		{"a listing of plans without one", func(s *story) {
			x := s.Do(2, soak.Call{Kind: soak.ListPlans}).Answer()
			x.Plans = x.Plans[:1]
		}, []string{snapshot, linearizable}},
		{"an effect that comes and goes", func(s *story) {
			old := s.plan(2, soak.GetPlan)
			s.move(1, s.a, lifecycle.CommandStartStrategize).CutOff()
			s.plan(2, soak.GetPlan)
			s.Claim(2, soak.Call{Kind: soak.GetPlan, Subject: s.a}, *old.Answer())
		}, []string{linearizable}},
		{"a conflict with the version that was held", func(s *story) {
			s.Claim(2, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandStartStrategize},
				soak.Answer{Outcome: soak.Conflict, Found: "strategize/queued", Version: 1, Held: 1})
		}, []string{linearizable}},

		{"applied twice", func(s *story) {
			last := s.apply()
			s.Claim(2, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandCompleteApply}, *last.Answer())
		}, []string{once, linearizable}},
		{"moved twice", func(s *story) {
			first := s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.Claim(2, soak.Call{Kind: soak.MovePlan, Subject: s.a, Command: lifecycle.CommandStartStrategize}, *first.Answer())
		}, []string{once, linearizable}},
		{"a wrong changeset", func(s *story) {
			first := s.plan(1, soak.StartChangeset).Answer().ID
			s.plan(1, soak.StartChangeset)
			s.plan(2, soak.RecordChange).Answer().ID = first
		}, []string{placed, linearizable}},
		{"a change of nobody", func(s *story) {
			s.plan(1, soak.StartChangeset)
			s.plan(1, soak.RecordChange).Answer().Outcome = soak.Wrong
		}, []string{placed, namedError, linearizable}},
		{"reordered changes", func(s *story) {
			s.plan(1, soak.StartChangeset)
			x, y := s.plan(1, soak.RecordChange), s.plan(2, soak.RecordChange)
			from, until := x.At()
			x.Lasted(y.At())
			y.Lasted(from, until)
		}, []string{ordered, linearizable}},
		{"a torn listing", func(s *story) {
			// The listing overlaps both changes, so each plan alone may be as listed. But a was changed before b.
			old := s.Do(3, soak.Call{Kind: soak.ListPlans})
			from, _ := old.At()
			a := s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.move(1, s.b, lifecycle.CommandStartStrategize)
			torn := slices.Clone(old.Answer().Plans)
			for i, p := range torn {
				if p.ID == s.b {
					torn[i] = *s.Do(2, soak.Call{Kind: soak.GetPlan, Subject: s.b}).Answer().Plan
				}
			}
			if a.Answer().Plan.ID == s.b {
				s.t.Fatal("got one plan, want two")
			}
			old.Answer().Plans = torn
			old.Lasted(from, s.Now())
		}, []string{snapshot}},
		{"a torn listing of actions", func(s *story) {
			s.Do(1, soak.Call{Kind: soak.CreateAction, Subject: "soak/test"})
			old := s.Do(3, soak.Call{Kind: soak.ListActions})
			from, _ := old.At()
			s.Do(1, soak.Call{Kind: soak.ArchiveAction, Subject: "soak/build"})
			s.Do(1, soak.Call{Kind: soak.ArchiveAction, Subject: "soak/test"})
			for i := range old.Answer().Actions {
				if a := &old.Answer().Actions[i]; a.Name == "soak/test" {
					a.Archived = true
				}
			}
			old.Lasted(from, s.Now())
		}, []string{snapshot}},

		{"a recent read in time", func(s *story) { s.recent(1) }, nil},
		{"a recent read too late", func(s *story) { s.recent(5) }, []string{young}},
		{"a recent read that forgets its own write", func(s *story) {
			old := s.plan(1, soak.GetPlan)
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.Claim(1, soak.Call{Kind: soak.GetPlan, Subject: s.a, Recent: true}, *old.Answer())
		}, []string{young}},
		{"a torn recent listing", func(s *story) {
			old := s.Do(3, soak.Call{Kind: soak.ListPlans, Recent: true})
			s.move(1, s.a, lifecycle.CommandStartStrategize)
			s.move(1, s.b, lifecycle.CommandStartStrategize)
			for i, p := range old.Answer().Plans {
				if p.ID == s.b {
					old.Answer().Plans[i] = *s.Do(2, soak.Call{Kind: soak.GetPlan, Subject: s.b}).Answer().Plan
				}
			}
			from, _ := old.At()
			old.Lasted(from, s.Now())
		}, []string{young}},
		{"an error of no contract", func(s *story) {
			s.Claim(1, soak.Call{Kind: soak.GetPlan, Subject: s.a}, soak.Answer{Outcome: soak.Wrong, Error: "disk on fire"})
		}, []string{namedError}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t)
			c.tell(s)
			r := s.Judge(maxAge)
			got := wrong(r)
			if len(r.Processing) > 0 || r.Linearity.Unknown > 0 || r.Clean != (len(c.want) == 0) || !slices.EqualFunc(got, c.want, strings.HasPrefix) {
				t.Errorf("got wrong %q, want %q\n%+v", got, c.want, problems(r))
			}
		})
	}
}

// usesCutOff makes thirty cut-off uses of the action. A first read, which it returns, sees half of them, a second one all.
func (s *story) usesCutOff() soak.Answer {
	for range 30 {
		s.Do(1, soak.Call{Kind: soak.UseAction, Subject: "soak/build"}).CutOff()
	}
	half := s.Do(2, soak.Call{Kind: soak.GetAction, Subject: "soak/build"}).Answer()
	half.Action.Uses -= 15
	s.Do(2, soak.Call{Kind: soak.GetAction, Subject: "soak/build"})
	return *half
}

// tellChanges records calls of two processes on changesets.
func tellChanges(s *story) {
	s.plan(1, soak.RecordChange) // refused
	s.plan(1, soak.StartChangeset)
	s.plan(1, soak.RecordChange)
	first := s.plan(2, soak.RecordChange).Answer().ID
	s.plan(2, soak.StartChangeset)
	s.Do(1, soak.Call{Kind: soak.FinishChangeset, Subject: s.a, Changeset: first})
	second := s.plan(1, soak.RecordChange).Answer().ID
	s.plan(2, soak.ListChangesets)
	s.Do(1, soak.Call{Kind: soak.FinishChangeset, Subject: s.a, Changeset: second})
	s.Do(1, soak.Call{Kind: soak.FinishChangeset, Subject: s.a, Changeset: "none"})
	s.plan(1, soak.ListChangesets)
}

// recent makes a recent read of an old state of plan a, so many calls after another process changed the plan.
func (s *story) recent(after int) {
	old := s.plan(2, soak.GetPlan)
	s.move(1, s.a, lifecycle.CommandStartStrategize)
	for range after {
		s.Do(1, soak.Call{Kind: soak.GetAction, Subject: "soak/build"})
	}
	s.Claim(2, soak.Call{Kind: soak.GetPlan, Subject: s.a, Recent: true}, *old.Answer())
}
