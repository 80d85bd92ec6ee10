package ledger_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/ledger"
)

// count adds one to a number, and returns what the file says.
func count(dir string) (n int, err error) {
	l := ledger.File[int]{Dir: dir, Name: "count"}
	err = l.Update(func(numbers map[string]int) { numbers["n"]++ })
	if err != nil {
		return 0, err
	}
	numbers, err := l.Read()
	return numbers["n"], err
}

// Nothing is lost of what is written at the same time.
func TestMany(t *testing.T) {
	const writers, times = 8, 25
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range times {
				if _, err := count(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n, err := count(dir); n != writers*times+1 || err != nil {
		t.Errorf("got %d, %v, want %d", n, err, writers*times+1)
	}
}

// What keeps writers apart stays, however old it is.
func TestLockStays(t *testing.T) {
	dir := t.TempDir()
	then := time.Now().Add(-10000 * time.Hour)
	lock := filepath.Join(dir, "lock")
	for range 2 {
		if _, err := count(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(lock, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that is damaged, in whatever way, is as good as none. What a process has
// left that was killed while it wrote does no harm, and goes some day.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "count.json")
	for _, text := range []string{"", "{", "null", "[]", `{"Tests":{"n":7}}`, `{"Sum":"00","Tests":{"n":7}}`, "\x00\x00\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := count(dir); n != 1 || err != nil {
			t.Errorf("%q: got %d, %v, want 1", text, n, err)
		}
	}
	left := filepath.Join(dir, "new-1234")
	for _, age := range []time.Duration{0, 10000 * time.Hour} {
		if err := os.WriteFile(left, []byte(`{"Sum`), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(left, then, then); err != nil {
			t.Fatal(err)
		}
		if _, err := count(dir); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(left); os.IsNotExist(err) != (age > 0) {
			t.Errorf("after %v: got %v", age, err)
		}
	}
}
