package races

import (
	"context"
	"slices"
)

// Plans is the subject of R3: a service with one action and one plan made from it.
type Plans interface {
	// First returns the identifier of the plan that existed from the start.
	First() string
	// Use makes a plan from the action and returns its identifier.
	Use(ctx context.Context) (string, error)
	// Get looks a plan up.
	Get(ctx context.Context, id string) error
	// List returns the identifiers of all plans.
	List(ctx context.Context) ([]string, error)
	Close() error
}

func plansRace() Race {
	return race(Race{
		ID:    "R3",
		Issue: 1281,
		Title: "plans listed while others are inserted",
		Must:  "every plan that was returned is found afterwards, and a listing is the set of plans as it was at one moment",
	}, plans,
		subject[Plans]{Reported, Violated, KindPanic, "a listing makes room for the plans there are and then meets one more", reportedPlans},
		subject[Plans]{Suggested, Holds, "", "to insert a plan under a fresh identifier, to get one and to copy them all is one locked access each", suggestedPlans},
		subject[Plans]{Ours, Holds, "", "a plan is inserted and a listing copied while nobody else does either", ourPlans},
	)
}

func plans(t T, s Plans) error {
	ctx := t.Context()
	var first, second, other string
	var own []string
	t.Go("creator A", func() {
		first = use(t, s)
		second = use(t, s)
	})
	t.Go("creator B", func() {
		other = use(t, s)
		own = list(t, s)
	})
	t.Wait()
	final := list(t, s)
	made := []string{s.First(), first, second, other}
	for _, id := range made {
		if err := s.Get(ctx, id); err != nil {
			t.Errorf("plan %s was returned to its creator and is lost: %v", id, err)
		}
	}
	if !sameSet(final, made) {
		t.Errorf("the plans %v were returned to their creators, and the listing after that is %v", made, final)
	}
	if !slices.Contains(own, other) {
		t.Errorf("plan %s is missing from a listing that its creator began afterwards: %v", other, own)
	}
	if !slices.Contains(own, s.First()) {
		t.Errorf("plan %s was there from the start and is missing from a listing: %v", s.First(), own)
	}
	if slices.Contains(own, second) && !slices.Contains(own, first) {
		t.Errorf("torn listing: it has plan %s and not plan %s, which was there before: %v", second, first, own)
	}
	if i := slices.IndexFunc(own, func(id string) bool { return !slices.Contains(made, id) }); i >= 0 {
		t.Errorf("plan %s is in a listing and was never made: %v", own[i], own)
	}
	return nil
}

// sameSet reports whether a and b hold the same identifiers, each once.
func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func use(t T, s Plans) string {
	t.Helper()
	id, err := s.Use(t.Context())
	if err != nil {
		t.Errorf("use the action: %v", err)
	}
	t.Logf("made plan %s", id)
	return id
}

func list(t T, s Plans) []string {
	t.Helper()
	ids, err := s.List(t.Context())
	if err != nil {
		t.Errorf("list the plans: %v", err)
	}
	t.Logf("listed %d plans", len(ids))
	return ids
}
