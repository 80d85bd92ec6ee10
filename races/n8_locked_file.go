package races

import "context"

// Files is the subject of N8: one SQLite file, opened by two engines. Its plans are counted.
type Files interface {
	A() File
	B() File
	Close() error
}

// File is one engine on the file.
type File interface {
	// Insert adds a plan.
	Insert(ctx context.Context) error
	// Count returns the number of plans that were added.
	Count(ctx context.Context) (int, error)
}

func lockedFileRace() Race {
	return race(Race{
		ID:    "N8",
		Issue: 5456,
		Title: "a database file that is locked",
		Must:  "several engines on one file read while one of them writes, and writers wait for each other",
	}, lockedFile,
		subject[Files]{Reported, Violated, KindCheck, "with a rollback journal a reader locks the file for writers, and nobody waits", reportedFiles},
		subject[Files]{Ours, Holds, "", "every engine is set up alike: a write-ahead log, and waiting for a lock", ourFiles},
	)
}

func lockedFile(t T, s Files) error {
	ctx := t.Context()
	var insertA, insertB, countErr error
	var n int
	insert := func(f File) error {
		err := f.Insert(ctx)
		t.Logf("insert a plan: %s", result(err))
		return err
	}
	t.Go("engine A writes", func() { insertA = insert(s.A()) })
	t.Go("engine B reads and writes", func() {
		n, countErr = s.B().Count(ctx)
		t.Logf("count %d plans: %s", n, result(countErr))
		insertB = insert(s.B())
	})
	t.Wait()
	if insertA != nil || insertB != nil || countErr != nil {
		t.Fatalf("engine A: writing got error %v; engine B: reading got error %v, writing got error %v; want none", insertA, countErr, insertB)
	}
	after, err := s.A().Count(ctx)
	switch {
	case err != nil || after != 2:
		t.Errorf("two plans were inserted, and %d are counted, %v", after, err)
	case n != 0 && n != 1:
		t.Errorf("engine B counted %d plans before its own was inserted, want 0 or 1", n)
	}
	return nil
}
