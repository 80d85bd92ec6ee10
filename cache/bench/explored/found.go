package explored

import (
	"context"
	"strconv"

	"github.com/jacquard-go/jacquard/cache/bench/peers"
	"github.com/jacquard-go/jacquard/explore"
)

// Found returns bodies in which a peer does what a cache that creates once should not do: some schedule shows it. They
// are rows that must not hold. Data races are noted and not reported: what counts is what comes of them.
func Found() []Row {
	row := func(name peers.Name, what string) Row {
		return Row{ID: string(name), What: what, Body: OneCreation(name), races: explore.RacesNote, flags: "-found "}
	}
	return []Row{
		row(peers.TheineName, "a value is loaded twice"),
		row(peers.TTLCacheName, "a value is loaded twice by the suppressing loader"),
		row(peers.SturdycName, "a value is fetched twice"),
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
