package reported_test

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

func TestInSequenceOneURLHasOneEngine(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		factory := newFactory(t)
		open, migrate := v.engines(factory.Create)
		first, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		second, err := migrate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if first != second || factory.Created() != 1 {
			t.Errorf("got engines #%d and #%d, %d created; want one", first.Number(), second.Number(), factory.Created())
		}
		if n, err := first.CountPlans(t.Context()); n != 0 || err != nil {
			t.Errorf("count: got %d, %v; want 0, nil", n, err)
		}
	})
}

func TestAnEngineThatCannotBeMadeIsNotStored(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		factory, broken := newFactory(t), errors.New("no memory left")
		fail := true
		open, migrate := v.engines(func(url string) (*reported.Engine, error) {
			if fail {
				return nil, broken
			}
			return factory.Create(url)
		})
		if _, err := open(t.Context()); !errors.Is(err, broken) {
			t.Errorf("unit of work: got %v, want %v", err, broken)
		}
		if _, err := migrate(t.Context()); !errors.Is(err, broken) {
			t.Errorf("migration runner: got %v, want %v", err, broken)
		}
		fail = false
		if engine, err := open(t.Context()); engine == nil || err != nil {
			t.Errorf("afterwards: got %v, %v; want an engine", engine, err)
		}
	})
}
