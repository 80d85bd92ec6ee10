package explored

import (
	"context"
	"strconv"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func independence() []Row {
	return []Row{
		{ID: "G7a", What: "others do not wait for a slow creation", Body: func(t *explore.T) { slow(t, 0, 3) }},
		{ID: "G7b", What: "nor while the table grows", Body: func(t *explore.T) { slow(t, 115, 8) }},
		{ID: "G7c", What: "an iteration does not wait either, and may change what it iterates over", Body: iterating},
		{ID: "G7d", What: "who is there all the time comes once, also while the table grows", Body: onceEach},
	}
}

// slow runs calls for other keys while a creation waits for them to return: if one of them waited for the creation,
// the body would deadlock.
func slow(t *explore.T, before, more int) {
	c := open(t, cache.Config[string, int]{})
	for i := range before {
		_ = c.Set("old "+strconv.Itoa(i), i)
	}
	_ = c.Set("hit", 1)
	over := make(chan struct{})
	started := make(chan struct{})
	t.Go("slow", func() {
		v, err := c.GetOrCreate(either(t, more), "slow", func(context.Context) (int, error) {
			close(started)
			<-over
			return 7, nil
		})
		if v != 7 || err != nil {
			t.Errorf("the slow one got %d, %v, want 7", v, err)
		}
	})
	<-started
	var others [2]chan struct{}
	for i := range others {
		others[i] = make(chan struct{})
		t.Go("other", func() {
			defer close(others[i])
			for n := range more {
				key := strconv.Itoa(i) + "/" + strconv.Itoa(n)
				if v, err := c.GetOrCreate(either(t, i), key, plain(n)); v != n || err != nil {
					t.Errorf("%s: got %d, %v, want %d", key, v, err, n)
				}
			}
			if v, ok := c.Get("hit"); v != 1 || !ok {
				t.Errorf("the hit is %d, %v, want 1", v, ok)
			}
			if key := strconv.Itoa(i) + "/0"; !c.Delete(key) {
				t.Errorf("%s was not there", key)
			}
		})
	}
	for _, other := range others {
		<-other
	}
	close(over)
	t.Wait()
	_ = c.Close()
}

func iterating(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	_ = c.Set("a", 1)
	over := make(chan struct{})
	t.Go("slow", func() {
		_, err := c.GetOrCreate(t.Context(), "slow", func(context.Context) (int, error) {
			<-over
			return 7, nil
		})
		if err != nil {
			t.Errorf("the slow one got %v", err)
		}
	})
	t.Go("iterator", func() {
		defer close(over)
		n := 0
		for key, v := range c.All() {
			if key == "a" {
				n++
			}
			if key == "slow" || key == "a" && v != 1 {
				t.Errorf("came over %s with %d", key, v)
			}
			_ = c.Set("made by the iterator", v)
		}
		if n != 1 {
			t.Errorf("came over a %d times, want once", n)
		}
	})
	t.Go("writer", func() {
		_ = c.Set("b", 2)
		c.Delete("b")
	})
	t.Wait()
	_ = c.Close()
}

func onceEach(t *explore.T) {
	const stay = 118
	c := open(t, cache.Config[string, int]{})
	for i := range stay {
		_ = c.Set(strconv.Itoa(i), i)
	}
	t.Go("writer", func() {
		for i := range 6 {
			_ = c.Set("new "+strconv.Itoa(i), i)
		}
	})
	t.Go("iterator", func() {
		var seen [stay]int
		for key, v := range c.All() {
			if key == strconv.Itoa(v) {
				seen[v]++
			}
		}
		for v, n := range seen {
			if n != 1 {
				t.Errorf("came over %d %d times, want once", v, n)
			}
		}
	})
	t.Wait()
	_ = c.Close()
}
