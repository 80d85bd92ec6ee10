package programs

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// Rare fails in about one of in orders of its operations, and its message contains the
// order: it shows if a schedule other than the first failing one is reported. It keeps
// the salt of its hash in a file.
func Rare(in uint32) Program {
	return Program{Name: fmt.Sprint("rare, one in ", in), Verdict: explore.Violated, Kind: explore.KindCheck, Run: func(t *explore.T) {
		salt := filepath.Join(t.TempDir(), "salt")
		if err := os.WriteFile(salt, []byte("salt"), 0o600); err != nil {
			t.Inconclusive("%v", err)
		}
		var steps atomic.Int64
		var order [12]atomic.Int64
		for id := range 3 {
			t.Go(fmt.Sprint("number ", id), func() {
				for range 4 {
					order[steps.Add(1)-1].Store(int64(id))
				}
			})
		}
		t.Wait()
		text, err := os.ReadFile(salt)
		if err != nil {
			t.Inconclusive("%v", err)
		}
		for i := range order {
			text = append(text, byte('0'+order[i].Load()))
		}
		h := fnv.New64a()
		_, _ = h.Write(text) // never fails
		if uint32(h.Sum64()>>24)%in == 0 {
			t.Errorf("the order is %s", text)
		}
	}}
}
