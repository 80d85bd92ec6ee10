package steps

import (
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func isGoneOrReferred(_ *scene, err error) bool {
	return errors.Is(err, lifecycle.ErrNotFound) || errors.Is(err, lifecycle.ErrReferred)
}

// appliedOrDeleted checks that exactly one of the callers that apply a claimed plan or delete it
// succeeds. If the plan is applied, deleting it fails with ErrClaimed; if it is deleted, it is not
// found any more.
func (s *scene) appliedOrDeleted([]string) error {
	var done []answer
	why := lifecycle.ErrNotFound // the error that all others must get
	for _, a := range s.answers(func(verb string) bool { return verb == "apply the plan" || verb == "delete the plan" }) {
		if a.err == nil {
			done = append(done, a)
			why = map[bool]error{true: lifecycle.ErrClaimed, false: lifecycle.ErrNotFound}[a.verb == "apply the plan"]
		}
	}
	if len(done) != 1 {
		return violated("%d succeeded: %s", len(done), told(s.writes()))
	}
	for _, a := range s.writes() {
		if a.err != nil && !errors.Is(a.err, why) {
			return violated("%s: %s: got %v, want %v", a.by, a.call, a.err, why)
		}
	}
	left, err := s.everywhere("read the plan", s.named())
	for _, a := range left {
		applied := a.err == nil && a.at[0].String() == "apply/queued"
		if deleted := errors.Is(a.err, lifecycle.ErrNotFound); applied == deleted || deleted != (done[0].verb == "delete the plan") {
			return violated("%s could %s, and afterwards it is %s", done[0].by, done[0].call, a)
		}
	}
	return err
}

// everywhere makes a call afterwards at each instance.
func (s *scene) everywhere(verb, arg string) (all []answer, err error) {
	for i := range max(1, s.instances) {
		a, err := s.world.do(s.ctx, call{verb, arg}, asker{instance: i, by: "afterwards"})
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// unlisted checks that no listing made after the other calls has the plan.
func (s *scene) unlisted([]string) error {
	looks, err := s.everywhere("list the plans", "")
	for _, k := range s.tasks {
		for _, a := range k.answers {
			if k.after && a.verb == "list the plans" {
				looks = append(looks, a)
			}
		}
	}
	for _, a := range looks {
		if a.err != nil || slices.Contains(a.names, s.named()) {
			return violated("%s listed the plans %q, %v", a.by, a.names, a.err)
		}
	}
	return err
}
