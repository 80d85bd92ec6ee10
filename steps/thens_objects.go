package steps

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/races"
)

// asked returns the answers to the calls that ask for an engine or an object.
func (s *scene) asked() []answer {
	return s.answers(func(verb string) bool { return asks([]call{{verb: verb}}) })
}

// same checks that all callers got one object. Two engines are shown to be two databases.
func (s *scene) same([]string) error {
	all := s.asked()
	for _, a := range all {
		if a.err != nil {
			return violated("%s got %v", a.by, a.err)
		}
		if a.object == all[0].object {
			continue
		}
		first, ok := all[0].object.(races.Engine)
		if !ok {
			return violated("%s holds %v, and %s %v", all[0].by, all[0].object, a.by, a.object)
		}
		return violated("%s holds engine %d, and %s %s", all[0].by, first.Number(), a.by, twoDatabases(s.ctx, first, a.object.(races.Engine)))
	}
	return nil
}

// twoDatabases creates the schema through b, and looks for it through a.
func twoDatabases(ctx context.Context, a, b races.Engine) string {
	made := b.Migrate(ctx)
	_, counted := a.CountPlans(ctx)
	return "another, " + answer{err: made}.String() + "; the first has " + answer{err: counted}.String()
}

func (s *scene) failed(args []string) error {
	for _, a := range s.asked() {
		var crash *cache.PanicError
		kind := ""
		switch {
		case errors.As(a.err, &crash) && crash.Goexit:
			kind = "exit"
		case errors.As(a.err, &crash):
			kind = "panic"
		case errors.Is(a.err, errCreator):
			kind = "error"
		}
		if kind != args[0] {
			return violated("%s got %v", a.by, a)
		}
	}
	return nil
}

func (s *scene) cycle([]string) error {
	for _, a := range s.asked() {
		if !errors.Is(a.err, cache.ErrCycle) {
			return violated("%s got %v", a.by, a)
		}
	}
	return nil
}

func (s *scene) closed([]string) error {
	for _, a := range s.asked() {
		if a.err != nil && !errors.Is(a.err, cache.ErrClosed) {
			return violated("%s got %v", a.by, a)
		}
	}
	return nil
}

// holds checks the cache's value afterwards.
func (s *scene) holds(args []string) error {
	a, err := s.world.do(s.ctx, call{verb: "read the value"}, asker{by: "afterwards"})
	if err != nil {
		return err
	}
	o, _ := a.object.(*object)
	switch {
	case args[0] == "nothing" && o == nil:
		return nil
	case args[0] == "what was set" && o != nil && (o.by == "set" || o.by == "swapped"):
		return nil
	case args[0] == "what was created" && o != nil && o.by == "created":
		return nil
	}
	return violated("it holds %s", a)
}

// closedOnce closes the cache, and checks that each object was closed exactly once.
func (s *scene) closedOnce([]string) error {
	if a, err := s.world.do(s.ctx, call{verb: "close the cache"}, asker{}); err != nil || ignoring(a.err, cache.ErrClosed) != nil {
		return errors.Join(err, a.err)
	}
	if err := s.exactly("objects that were closed twice", 0); err != nil {
		return err
	}
	return s.exactly("objects that are open", 0)
}

// together checks that the callers that did not give up got one object.
func (s *scene) together([]string) error {
	var first any
	for _, a := range s.answers(func(verb string) bool { return verb == "ask for the value" }) {
		if first == nil {
			first = a.object
		}
		if a.object == nil || a.object != first {
			return violated("%s holds %v, and another %v", a.by, a.object, first)
		}
	}
	return nil
}

// stayed checks that the callers that did not give up got no error.
func (s *scene) stayed([]string) error {
	for _, a := range s.answers(func(verb string) bool { return verb != "give up" }) {
		if a.err != nil {
			return violated("%s: %s: got %v", a.by, a.call, a.err)
		}
	}
	return nil
}

// swapped checks that exactly one swap of each version succeeded.
func (s *scene) swapped([]string) error {
	won := make(map[string]int)
	for _, a := range s.answers(func(verb string) bool { return verb == "swap the value" }) {
		if a.err == nil {
			won[a.text]++
		}
	}
	for version, n := range won {
		if n != 1 {
			return violated("%d who held %s have succeeded", n, version)
		}
	}
	return nil
}
