package races

import "context"

// Migrations is the subject of N1: two units of work on the one engine of an in-memory database without a schema.
type Migrations interface {
	A() Migrator
	B() Migrator
	// Migrated returns how often the schema was brought up to date.
	Migrated(ctx context.Context) (int, error)
	Close() error
}

// Migrator is a unit of work. Every method first makes sure that the schema is up to date.
type Migrator interface {
	Migrate(ctx context.Context) error
}

func migrationsRace() Race {
	return race(Race{
		ID:    "N1",
		Issue: 7420,
		Title: "migrations run twice on one engine",
		Must:  "the migrations run once for each engine, and whoever comes meanwhile waits for them",
	}, migrations,
		subject[Migrations]{Reported, Violated, KindCheck, "each unit of work knows of itself only whether the migrations have run", reportedMigrations},
		subject[Migrations]{Suggested, Violated, KindCheck, "the lock of #3950 covers how the engine is found, and not its migrations", suggestedMigrations},
		subject[Migrations]{Ours, Holds, "", "the engine knows, and migrates in its writer's turn", ourMigrations},
	)
}

func migrations(t T, s Migrations) error {
	ctx := t.Context()
	migrate := func(m Migrator) error {
		err := m.Migrate(ctx)
		t.Logf("bring the schema up to date: %s", result(err))
		return err
	}
	var errA, errB error
	t.Go("unit of work A", func() { errA = migrate(s.A()) })
	t.Go("unit of work B", func() { errB = migrate(s.B()) })
	t.Wait()
	if errA != nil || errB != nil {
		t.Fatalf("unit of work A: got error %v; unit of work B: got error %v; want none: the migrations run once", errA, errB)
	}
	n, err := s.Migrated(ctx)
	switch {
	case err != nil:
		t.Errorf("neither unit of work got an error, and the schema is not there: %v", err)
	case n != 1:
		t.Errorf("the migrations ran %d times on one engine, want 1", n)
	}
	return nil
}
