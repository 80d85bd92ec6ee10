package reported_test

import "testing"

func TestInSequenceTheMigrationsRunOnce(t *testing.T) {
	eachVariant(t, func(t *testing.T, v variant) {
		all, err := v.work(newFactory(t).Create, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, work := range append(all, all...) { // each of them twice
			if err := work.EnsureMigrated(t.Context()); err != nil {
				t.Errorf("unit of work %d: got %v, want the schema up to date", i, err)
			}
			if n, err := work.CountPlans(t.Context()); n != 0 || err != nil {
				t.Errorf("count: got %d, %v; want 0, nil", n, err)
			}
		}
	})
}
