package races

import "context"

// Engines is the subject of R1: the two callers of one cache of engines, for one in-memory database.
type Engines interface {
	// ForUnitOfWork opens a unit of work and returns its engine.
	ForUnitOfWork(ctx context.Context) (Engine, error)
	// ForMigrations returns the engine on which the migration runner would create the schema.
	ForMigrations(ctx context.Context) (Engine, error)
	// Created returns how many engines were made.
	Created() int
	Close() error
}

// Engine is one in-memory database. Two are the same if they are equal as interface values.
type Engine interface {
	// Number returns the number of this engine among those made, from 1.
	Number() int
	// Migrate creates the schema.
	Migrate(ctx context.Context) error
	// CountPlans counts the rows of the plans table. It fails if the schema was not created.
	CountPlans(ctx context.Context) (int, error)
}

// memoryURL is the URL that both callers ask for.
const memoryURL = "sqlite:///:memory:"

func enginesRace() Race {
	return race(Race{
		ID:    "R1",
		Issue: 3950,
		Title: "two engines for one URL",
		Must:  "one URL has one engine, made once, whoever asks first: a unit of work or the migrations",
	}, engines,
		subject[Engines]{Reported, Violated, KindCheck, "both callers look before either has stored", reportedEngines},
		subject[Engines]{Suggested, Holds, "", "the lock covers the look-up and the store, in both callers", suggestedEngines},
		subject[Engines]{Ours, Holds, "", "the engine is made once, and whoever asks meanwhile waits for that one", ourEngines},
	)
}

// engines lets both callers get their engine at once. If they got two, it shows the consequence: the schema is created in
// one, and missing in the other.
func engines(t T, s Engines) error {
	ctx := t.Context()
	var forWork, forMigrations Engine
	var workErr, migrationsErr error
	t.Go("unit of work", func() { forWork, workErr = logged(t)(s.ForUnitOfWork(ctx)) })
	t.Go("migration runner", func() { forMigrations, migrationsErr = logged(t)(s.ForMigrations(ctx)) })
	t.Wait()
	if workErr != nil || migrationsErr != nil {
		t.Fatalf("unit of work: got error %v; migration runner: got error %v; want none", workErr, migrationsErr)
	}
	if forWork != forMigrations {
		made := forMigrations.Migrate(ctx)
		_, counted := forWork.CountPlans(ctx)
		t.Errorf("two engines for %s: unit of work got #%d, migration runner got #%d; it makes the schema: %s; unit of work counts plans: %s",
			memoryURL, forWork.Number(), forMigrations.Number(), result(made), result(counted))
	} else if s.Created() != 1 {
		t.Errorf("both callers got engine #%d for %s, but %d were made", forWork.Number(), memoryURL, s.Created())
	}
	return nil
}

// logged returns the results of a call and logs them as a step.
func logged(t T) func(Engine, error) (Engine, error) {
	return func(e Engine, err error) (Engine, error) {
		if err != nil {
			t.Logf("got no engine: %v", err)
		} else {
			t.Logf("got engine #%d", e.Number())
		}
		return e, err
	}
}

// result describes the result of a call.
func result(err error) string {
	if err != nil {
		return err.Error()
	}
	return "no error"
}
