package steps

import (
	"errors"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// thens returns the definitions of the assertions. A check gets the arguments that the step's
// expression captures.
func thens() []definition {
	const at = ` at ([a-z]+/[a-z]+)`
	return []definition{
		then(`exactly `+numberExpr+` succeeds?`, `exactly one succeeds`, (*scene).succeed),
		then(`nobody succeeds`, `nobody succeeds`, func(s *scene, _ []string) error { return s.succeed([]string{"0"}) }),
		then(`the others? (?:is|are) told that the action already exists`, `the others are told that the action already exists`, losers(alreadyExists)),
		then(`the others? (?:is|are) told what state (?:it|they) lost to`, `the others are told what state they lost to`, losers(namesState)),
		then(`the others? (?:is|are) told that the value has changed`, `the others are told that the value has changed`, losers(isLost)),
		then(`the others? (?:is|are) told who holds the resource`, `the others are told who holds the resource`, losers(namesHolder)),
		then(`the others? (?:is|are) told who has the plan`, `the others are told who has the plan`, losers(namesClaim)),
		then(`the others? (?:is|are) told that the action is gone, or that it has plans`, `the other is told that the action is gone, or that it has plans`, losers(isGoneOrReferred)),
		then(`the plan is applied, or deleted, and never both`, `the plan is applied, or deleted, and never both`, (*scene).appliedOrDeleted),
		then(`the plan is in no listing after that`, `the plan is in no listing after that`, (*scene).unlisted),
		then(`everybody hears every change of every plan once, in order`, `everybody hears every change of every plan once, in order`, (*scene).heard),
		then(`the plan is taken over`, `the plan is taken over`, (*scene).takenOver),
		then(`who hung is told who has the plan`, `who hung is told who has the plan`, (*scene).tooLate),
		then(`nobody gets an error`, `nobody gets an error`, (*scene).noErrors),
		{kind: "Then", expr: "^the calls end like this:$", says: "the calls end like this: (a table of outcome and times)", table: true, read: (*plot).outcomes},
		then(`the action is the winner's`, `the action is the winner's`, (*scene).winners),
		then(`every read after that finds the action archived`, `every read after that finds the action archived`, (*scene).archived),
		then(`the action was used `+numberExpr+` times?`, `the action was used three times`, (*scene).used),
		then(`every plan that was returned is found afterwards`, `every plan that was returned is found afterwards`, (*scene).found),
		then(`every listing shows the plans as they were at one moment`, `every listing shows the plans as they were at one moment`, (*scene).untorn),
		then(numberExpr+` more plans? (?:is|are) there`, `two more plans are there`, (*scene).more),
		then(`(?:it|the plan) is applied once`, `it is applied once`, (*scene).appliedOnce),
		then(`a claim is kept by who has it, and by nobody else`, `a claim is kept by who has it, and by nobody else`, (*scene).claimsKept),
		then(`every change is brought home once`, `every change is brought home once`, (*scene).broughtHome),
		then(`nothing lands in a changeset that was seen closed`, `nothing lands in a changeset that was seen closed`, (*scene).sealed),
		then(`a change stays in its place among all`, `a change stays in its place among all`, (*scene).placed),
		then(`every read after that sees the plan`+at, `every read after that sees the plan at strategize/processing`, (*scene).seenAfter),
		then(`nobody sees the plan but`+at, `nobody sees the plan but at strategize/queued`, (*scene).seenNowhereElse),
		then(`the work is done once`, `the work is done once`, (*scene).workedOnce),
		then(`the work can be done again`, `the work can be done again`, (*scene).workedAgain),
		then(`every failure is among the plan's error details`, `every failure is among the plan's error details`, (*scene).noted),
		then(`what never started is cancelled, and only what is complete is merged`, `what never started is cancelled, and only what is complete is merged`, (*scene).merged),
		then(`what the parts of a plan change is merged in their order`, `what the parts of a plan change is merged in their order`, (*scene).partsMerged),
		then(`no change lands in an older changeset once a newer one is visible`, `no change lands in an older changeset once a newer one is visible`, (*scene).landed),
		then(`every change is in one changeset, or its recorder is told that none is active`, `every change is in one changeset, or its recorder is told that none is active`, (*scene).recorded),
		then(`every instance knows the changesets and the changes`, `every instance knows the changesets and the changes`, (*scene).known),
		then(`everybody holds the same (?:engine|object)`, `everybody holds the same engine`, (*scene).same),
		then(numberExpr+` (engine|object)s? (?:was|were) made`, `one engine was made`, (*scene).made),
		then(`the migrations have run once`, `the migrations have run once`, (*scene).migratedOnce),
		then(`who asked gets the creator's (error|panic|exit)`, `who asked gets the creator's error`, (*scene).failed),
		then(`who asked is told of the cycle`, `who asked is told of the cycle`, (*scene).cycle),
		then(`who asked gets a value, or is told that the cache is closed`, `who asked gets a value, or is told that the cache is closed`, (*scene).closed),
		then(`the cache holds (nothing|what was set|what was created)`, `the cache holds what was set`, (*scene).holds),
		then(`every object is closed once when the cache is`, `every object is closed once when the cache is`, (*scene).closedOnce),
		then(`the calls of those who stay succeed`, `the calls of those who stay succeed`, (*scene).stayed),
		then(`everybody who stays holds the same object`, `everybody who stays holds the same object`, (*scene).together),
		then(`those who held one version are told but for one`, `those who held one version are told but for one`, (*scene).swapped),
		then(`no creation goes on`, `no creation goes on`, (*scene).over),
	}
}

// then returns a definition without a table.
func then(expr, says string, check func(s *scene, args []string) error) definition {
	return definition{kind: "Then", expr: "^" + expr + "$", says: says, read: func(p *plot, line Line, args []string) error {
		p.musts = append(p.musts, must{line.Text, func(s *scene) error { return check(s, args) }})
		return nil
	}}
}

func (s *scene) succeed(args []string) error {
	n := 0
	for _, a := range s.writes() {
		if a.err == nil {
			n++
		}
	}
	if n != number(args[0]) {
		return violated("%d succeeded: %s", n, told(s.writes()))
	}
	return nil
}

// losers checks that every caller that did not succeed got an error of a kind.
func losers(kind func(*scene, error) bool) func(*scene, []string) error {
	return func(s *scene, _ []string) error {
		for _, a := range s.writes() {
			if a.err != nil && !kind(s, a.err) {
				return violated("%s got %v", a.by, a.err)
			}
		}
		return nil
	}
}

func alreadyExists(_ *scene, err error) bool { return errors.Is(err, lifecycle.ErrAlreadyExists) }
func isLost(_ *scene, err error) bool        { return errors.Is(err, errLost) }

// namesState reports whether err names the plan's current position and, for a conflict, one that
// differs from the position held.
func namesState(_ *scene, err error) bool {
	var conflict *lifecycle.ConflictError
	var invalid *lifecycle.InvalidTransitionError
	var early *lifecycle.NotReadyError
	switch {
	case errors.As(err, &conflict):
		return conflict.Current != lifecycle.Position{} && conflict.Current != conflict.Held
	case errors.As(err, &invalid):
		return invalid.Current != lifecycle.Position{}
	case errors.As(err, &early):
		return early.Current != lifecycle.Position{}
	}
	return false
}

// namesHolder reports whether err names a lock owner that has succeeded.
func namesHolder(s *scene, err error) bool {
	var held *locks.HeldError
	return errors.As(err, &held) && slices.ContainsFunc(s.writes(), func(a answer) bool { return a.err == nil && a.by == held.Lock.Owner })
}

// namesClaim reports whether err names the holder of a claim.
func namesClaim(_ *scene, err error) bool {
	var claimed *lifecycle.ClaimedError
	return errors.As(err, &claimed) && claimed.Claim.Holder == theHolder
}

func (s *scene) noErrors([]string) error {
	for _, a := range s.answers(func(string) bool { return true }) {
		if a.err != nil {
			return violated("%s: %s: got %v", a.by, a.call, a.err)
		}
	}
	return nil
}

// outcomes checks that each outcome occurs as often as a table says.
func (p *plot) outcomes(line Line, _ []string) error {
	rows, err := rowsOf(line.Table, "outcome", "times")
	if err != nil {
		return err
	}
	want := make(map[string]int)
	for _, row := range rows {
		want[row[0]] = number(row[1])
	}
	p.musts = append(p.musts, must{line.Text, func(s *scene) error {
		got := make(map[string]int)
		for _, a := range s.writes() {
			got[outcomeOf(a.err)]++
		}
		for outcome := range got {
			if got[outcome] != want[outcome] {
				return violated("%d calls ended with %q, want %d: %s", got[outcome], outcome, want[outcome], told(s.writes()))
			}
		}
		return nil
	}})
	return nil
}

// outcomeOf returns the name of an error in tables.
func outcomeOf(err error) string {
	for _, named := range []error{
		lifecycle.ErrAlreadyExists, lifecycle.ErrConflict, lifecycle.ErrInvalidTransition, lifecycle.ErrNotReady, lifecycle.ErrArchived, lifecycle.ErrNotFound,
		lifecycle.ErrNoActiveChangeset, lifecycle.ErrFinished, lifecycle.ErrReferred, cache.ErrClosed, cache.ErrCycle, errLost, errEmpty, errCreator,
	} {
		if errors.Is(err, named) {
			return named.Error()
		}
	}
	if err != nil {
		return err.Error()
	}
	return "success"
}

func (s *scene) winners([]string) error {
	for _, a := range s.writes() {
		if a.err != nil || a.verb != "create the action" {
			continue
		}
		got, err := s.ask(0, "read the action", a.arg)
		if err != nil {
			return err
		}
		if got.text != a.by {
			return violated("%s has created %s, and it is of %s", a.by, a.arg, got.text)
		}
	}
	return nil
}

func (s *scene) archived([]string) error {
	for _, k := range s.tasks {
		for _, a := range k.answers {
			if k.after && a.verb == "read the action" && (a.err != nil || a.id != string(lifecycle.ActionArchived)) {
				return violated("%s found it %s, %v", a.by, a.id, a.err)
			}
			if k.after && a.verb == "list the actions" && !slices.ContainsFunc(a.ids, func(id string) bool { return strings.HasSuffix(id, string(lifecycle.ActionArchived)) }) {
				return violated("%s listed %v", a.by, a.ids)
			}
		}
	}
	return nil
}

func (s *scene) used(args []string) error { return s.exactly("uses of the action", number(args[0])) }

// exactly checks that a fact has the wanted count.
func (s *scene) exactly(fact string, want int) error {
	n, err := s.count(fact)
	if err == nil && n != want {
		err = violated("got %d, want %d: %s", n, want, told(s.writes()))
	}
	return err
}

func (s *scene) migratedOnce([]string) error { return s.exactly("migrations", 1) }
func (s *scene) made(args []string) error    { return s.exactly(args[1]+"s", number(args[0])) }
func (s *scene) over([]string) error         { return s.exactly("creations under way", 0) }
