package steps

import (
	"errors"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func (s *scene) found([]string) error {
	for _, a := range s.answers(func(verb string) bool { return verb == "make a plan" }) {
		if a.err != nil {
			return violated("%s made no plan: %v", a.by, a.err)
		}
		if _, err := s.ask(0, "find the plan", a.id); err != nil {
			return err
		}
	}
	return nil
}

// untorn wants of each listing that it has what its caller made before, nothing
// that was never made, and of what one caller made no later plan without the
// earlier ones.
func (s *scene) untorn([]string) error {
	made := s.answers(func(verb string) bool { return verb == "make a plan" })
	had, err := s.count("plans at first")
	if err != nil {
		return err
	}
	final, err := s.ask(0, "list the plans", "")
	if err != nil {
		return err
	}
	for _, listing := range append(s.answers(func(verb string) bool { return verb == "list the plans" }), final) {
		if listing.err != nil {
			return violated("%s: %v", listing.by, listing.err)
		}
		if n := len(listing.ids); n < had || n > had+len(made) {
			return violated("%s listed %d plans; %d were there from the start, and %d were made", listing.by, n, had, len(made))
		}
		if i := slices.IndexFunc(listing.ids, func(id string) bool { return !slices.Contains(final.ids, id) }); i >= 0 {
			return violated("%s listed plan %s, which is not there", listing.by, listing.ids[i])
		}
	}
	for _, k := range s.tasks {
		if err := s.inOrder(k, final); err != nil {
			return err
		}
		if err := s.movedInOrder(k); err != nil {
			return err
		}
	}
	return nil
}

// movedInOrder compares the plans that one caller has started with all listings: none shows a plan
// as started before those that the caller started earlier.
func (s *scene) movedInOrder(k *task) error {
	var own []string
	for _, a := range k.answers {
		if a.verb == "start the plan" && a.err == nil {
			own = append(own, a.arg)
		}
	}
	for _, l := range s.answers(func(verb string) bool { return verb == "list the plans" }) {
		started := func(name string) bool {
			i := slices.Index(l.names, name)
			return i >= 0 && l.at[i].State != lifecycle.StateQueued
		}
		for i := 1; i < len(own); i++ {
			if started(own[i]) && !started(own[i-1]) {
				return violated("torn: %s listed plan %q as started and not plan %q, which was started before", l.by, own[i], own[i-1])
			}
		}
	}
	return nil
}

// inOrder compares the plans that one caller made with all listings.
func (s *scene) inOrder(k *task, final answer) error {
	var own []string
	for _, a := range k.answers {
		switch {
		case a.verb == "make a plan" && a.err == nil:
			own = append(own, a.id)
		case a.verb == "list the plans":
			if missing := without(a.ids, own); missing != "" {
				return violated("%s made plan %s and then listed %v", a.by, missing, a.ids)
			}
		}
	}
	if missing := without(final.ids, own); missing != "" {
		return violated("%s made plan %s, and the listing afterwards is %v", k.name, missing, final.ids)
	}
	for _, l := range s.answers(func(verb string) bool { return verb == "list the plans" }) {
		for i := 1; i < len(own); i++ {
			if slices.Contains(l.ids, own[i]) && !slices.Contains(l.ids, own[i-1]) {
				return violated("torn: %s listed plan %s and not plan %s, which was there before", l.by, own[i], own[i-1])
			}
		}
	}
	return nil
}

// without returns the first of wanted that is not in all, or "".
func without(all, wanted []string) string {
	for _, id := range wanted {
		if !slices.Contains(all, id) {
			return id
		}
	}
	return ""
}

func (s *scene) more(args []string) error {
	had, err := s.count("plans at first")
	if err != nil {
		return err
	}
	for i := range max(1, s.instances) {
		listing, err := s.ask(i, "list the plans", "")
		if err != nil {
			return err
		}
		if n := len(listing.ids) - had; n != number(args[0]) {
			return violated("instance %d lists %d more: %s", i+1, n, told(s.writes()))
		}
	}
	return nil
}

func (s *scene) appliedOnce([]string) error {
	if err := s.exactly("moves", 1); err != nil {
		return err
	}
	for i := range max(1, s.instances) {
		a, err := s.ask(i, "read the plan", s.named())
		if err != nil {
			return err
		}
		if want := "apply/queued"; a.at[0].String() != want {
			return violated("instance %d has it at %s, want %s", i+1, a.at[0], want)
		}
	}
	return nil
}

// named returns the name of the plan that the scenario is about: the first that a call names.
func (s *scene) named() string {
	for _, a := range s.answers(func(verb string) bool { return strings.HasSuffix(verb, "the plan") }) {
		return a.arg
	}
	return ""
}

func (s *scene) seenAfter(args []string) error {
	for _, k := range s.tasks {
		for _, a := range k.answers {
			if k.after {
				if err := seen(a, args[0]); err != nil {
					return err
				}
			}
		}
	}
	a, err := s.ask(s.instances-1, "read the plan", s.named())
	if err != nil {
		return err
	}
	return seen(a, args[0])
}

// seen checks that the plans of an answer are at a position.
func seen(a answer, at string) error {
	if a.err != nil {
		return violated("%s: %s: got %v", a.by, a.call, a.err)
	}
	if i := slices.IndexFunc(a.at, func(p lifecycle.Position) bool { return p.String() != at }); i >= 0 {
		return violated("%s: %s: got %s", a.by, a.call, a.at[i])
	}
	return nil
}

// seenNowhereElse asks again afterwards, first for a listing: a get may correct what a listing
// shows.
func (s *scene) seenNowhereElse(args []string) error {
	looks := s.answers(func(verb string) bool { return !changes(verb) })
	for _, verb := range []string{"list the plans", "read the plan"} {
		a, err := s.ask(0, verb, "")
		if err != nil {
			return err
		}
		looks = append(looks, a)
	}
	for _, a := range looks {
		if err := seen(a, args[0]); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) workedOnce([]string) error {
	n := 0
	for _, a := range s.writes() {
		n += a.worked
		if a.worked > 0 && a.err != nil {
			return violated("%s did the work and got %v", a.by, a.err)
		}
	}
	if n != 1 {
		return violated("it was done %d times: %s", n, told(s.writes()))
	}
	return nil
}

func (s *scene) workedAgain([]string) error {
	a, err := s.ask(0, "execute the plan again", s.named())
	if err == nil && a.worked != 1 {
		err = violated("it was done %d times", a.worked)
	}
	return err
}

func (s *scene) takenOver([]string) error {
	for _, a := range s.answers(func(verb string) bool { return verb == "take the plan over" }) {
		if a.err != nil {
			return violated("%s got %v", a.by, a.err)
		}
	}
	return nil
}

// tooLate checks that the caller that has taken the plan over can complete it, and that the others
// get a ClaimedError about another's claim.
func (s *scene) tooLate([]string) error {
	took := make(map[string]bool)
	for _, a := range s.answers(func(verb string) bool { return verb == "take the plan over" }) {
		took[a.by] = true
	}
	for _, a := range s.answers(func(verb string) bool { return verb == "complete the plan" }) {
		var claimed *lifecycle.ClaimedError
		switch {
		case took[a.by] && a.err != nil:
			return violated("%s has taken the plan over, and got %v", a.by, a.err)
		case !took[a.by] && (!errors.As(a.err, &claimed) || claimed.Claim.Holder == "" || claimed.Claim.Fence == claimed.Yours):
			return violated("%s came late, and got %v", a.by, a.err)
		}
	}
	return nil
}
