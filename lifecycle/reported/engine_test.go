package reported_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/reported"
)

const url = "sqlite:///:memory:"

func newFactory(t *testing.T) *reported.EngineFactory {
	t.Helper()
	factory := new(reported.EngineFactory)
	t.Cleanup(func() {
		if err := factory.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return factory
}

func TestTwoEnginesAreTwoDatabases(t *testing.T) {
	factory := newFactory(t)
	migrated, err := factory.Create(url)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := factory.Create(url)
	if err != nil {
		t.Fatal(err)
	}
	if err := migrated.Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := migrated.Upgrade(t.Context()); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("the same migration again: got %v, want an error", err)
	}
	for engine, want := range map[*reported.Engine]int{migrated: reported.NewestSchema, bare: 0} {
		if version, err := engine.SchemaVersion(t.Context()); version != want || err != nil {
			t.Errorf("schema of engine #%d: got %d, %v; want %d", engine.Number(), version, err, want)
		}
	}
	for range 3 { // every connection of the pool has the schema
		if n, err := migrated.CountPlans(t.Context()); n != 0 || err != nil {
			t.Fatalf("count on the migrated engine: got %d, %v; want 0, nil", n, err)
		}
	}
	if _, err := bare.CountPlans(t.Context()); err == nil || !strings.Contains(err.Error(), "engine #2: ") || !strings.Contains(err.Error(), "no such table: plans") {
		t.Errorf("count on the other engine: got %v, want engine #2 and no such table", err)
	}
	if got := factory.Created(); got != 2 {
		t.Errorf("created: got %d, want 2", got)
	}
	if migrated.Number() != 1 || bare.Number() != 2 {
		t.Errorf("numbers: got %d and %d, want 1 and 2", migrated.Number(), bare.Number())
	}
}

func TestOnlyInMemoryURLs(t *testing.T) {
	factory := newFactory(t)
	if _, err := factory.Create("sqlite:///plans.db"); err == nil || !strings.Contains(err.Error(), "plans.db") {
		t.Errorf("got %v, want an error that names the URL", err)
	}
	if got := factory.Created(); got != 0 {
		t.Errorf("created: got %d, want 0", got)
	}
}
