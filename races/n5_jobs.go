package races

import "context"

// Pollers is the subject of N5: one SQLite file with one queued job in it, and two workers that look for jobs there.
type Pollers interface {
	A() Poller
	B() Poller
	Close() error
}

// Poller is one worker.
type Poller interface {
	// Poll looks for a job, runs it if there is one, and reports whether there was.
	Poll(ctx context.Context, do func() error) (found bool, err error)
}

func jobsRace() Race {
	return race(Race{
		ID:    "N5",
		Issue: 7357,
		Title: "one job is run by two workers",
		Must:  "a job goes from queued to running by a compare-and-swap: of several workers that look for jobs one runs it",
	}, runTwice,
		subject[Pollers]{Reported, Violated, KindCheck, "a job stays listed as queued until the worker that has listed it says that it runs", reportedPollers},
		subject[Pollers]{Ours, Holds, "", "a claim takes the job from queued to running if it is queued still", ourPollers},
	)
}

func runTwice(t T, s Pollers) error {
	ctx := t.Context()
	var foundA, foundB bool
	var errA, errB error
	poll := func(p Poller) (bool, error) {
		found, err := p.Poll(ctx, func() error {
			t.Logf("run the job")
			return nil
		})
		t.Logf("look for a job: found one: %t, %s", found, result(err))
		return found, err
	}
	t.Go("worker A", func() { foundA, errA = poll(s.A()) })
	t.Go("worker B", func() { foundB, errB = poll(s.B()) })
	t.Wait()
	switch {
	case foundA && foundB:
		t.Fatalf("both workers ran the one job")
	case errA != nil || errB != nil:
		t.Fatalf("worker A got error %v; worker B got error %v; want none", errA, errB)
	case !foundA && !foundB:
		t.Fatalf("no worker ran the job that was queued")
	}
	if found, err := s.A().Poll(ctx, func() error { return nil }); found || err != nil {
		t.Errorf("the job was run, and a worker that looks afterwards found one: %t, error %v; want neither", found, err)
	}
	return nil
}
