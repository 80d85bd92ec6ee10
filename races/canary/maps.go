package canary

import (
	"sync"

	"github.com/jacquard-go/jacquard/races"
)

// mapUnlocked is a data race even in a schedule that runs the writers one after another, because nothing orders the two.
func mapUnlocked(t races.T) error {
	m := make(map[string]int)
	return writeBoth(t, m, func(key string) { m[key]++ })
}

func mapLocked(t races.T) error {
	var mu sync.Mutex
	m := make(map[string]int)
	return writeBoth(t, m, func(key string) {
		mu.Lock()
		defer mu.Unlock()
		m[key]++
	})
}

func writeBoth(t races.T, m map[string]int, write func(key string)) error {
	t.Go("writes warp", func() { write("warp") })
	t.Go("writes weft", func() { write("weft") })
	t.Wait()
	if m["warp"] != 1 || m["weft"] != 1 {
		t.Errorf("two goroutines wrote one key each and the map is %v", m)
	}
	return nil
}
