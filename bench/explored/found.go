package explored

import (
	"context"
	"strconv"

	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/explore"
)

// Found returns bodies in which a peer fails, in some schedule, to create a value only once. They
// are rows that must not hold. Data races are noted and not reported: only their consequences count.
func Found() []Row {
	row := func(id, what string, body func(*explore.T)) Row {
		return Row{ID: id, What: what, Body: body, races: explore.RacesNote, flags: "-found "}
	}
	return []Row{
		row("theine", "a value is loaded twice", OneCreation(peers.TheineName)),
		row("ttlcache", "a value is loaded twice by the suppressing loader", OneCreation(peers.TTLCacheName)),
		row("sturdyc", "a value is fetched twice", OneCreation(peers.SturdycName)),
		row("sturdyc-error", "an error is told to a call that began after it", ErrorForgotten(peers.SturdycName)),
	}
}

// FindFound is [Find] for the rows of [Found].
func FindFound(name string) ([]Row, error) { return find(Found(), name) }

// OneCreation is G1a for a peer: three callers ask for one key, and there must be one creation and one object.
func OneCreation(name peers.Name) func(*explore.T) {
	return func(t *explore.T) {
		c, err := peers.Open[string, *object](name, 10)
		if err != nil {
			t.Fatal(err)
		}
		var made counter
		var got [2]*object
		for i := range got {
			t.Go("caller "+strconv.Itoa(i+1), func() {
				var err error
				got[i], err = c.GetOrCreate(t.Context(), "k", func(context.Context) (*object, error) {
					return &object{id: made.add()}, nil
				})
				if err != nil {
					t.Errorf("got %v, want an object", err)
				}
			})
		}
		t.Wait()
		if n := made.get(); n != 1 {
			t.Errorf("%d creations, want 1", n)
		}
		if got[0] != got[1] {
			t.Errorf("callers got objects %d and %d, want one object", got[0].id, got[1].id)
		}
		if closer, ok := c.(peers.Closer); ok {
			_ = closer.Close()
		}
	}
}

// ErrorForgotten is G2a for a peer: a call that begins after a creation has failed must not get its error.
func ErrorForgotten(name peers.Name) func(*explore.T) {
	return func(t *explore.T) {
		c, err := peers.Open[string, *object](name, 10)
		if err != nil {
			t.Fatal(err)
		}
		var calls counter
		create := func(context.Context) (*object, error) {
			if calls.add() == 1 {
				return nil, errCreate
			}
			return &object{}, nil
		}
		for i := range 2 {
			t.Go("caller "+strconv.Itoa(i+1), func() {
				if _, err := c.GetOrCreate(t.Context(), "k", create); err == nil {
					return
				}
				if _, err := c.GetOrCreate(t.Context(), "k", create); err != nil {
					t.Errorf("a second call, begun after the first had failed, got its error: %v", err)
				}
			})
		}
		t.Wait()
		if closer, ok := c.(peers.Closer); ok {
			_ = closer.Close()
		}
	}
}
