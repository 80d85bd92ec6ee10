package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// Nothing is lost of what is written at the same time.
func TestLedgerOfMany(t *testing.T) {
	const writers, times = 8, 25
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range times {
				if _, err := suite.Count(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n, err := suite.Count(dir); n != writers*times+1 || err != nil {
		t.Errorf("got %d, %v, want %d", n, err, writers*times+1)
	}
}

// What keeps writers apart stays, however old it is.
func TestLedgerKeepsItsLock(t *testing.T) {
	dir := t.TempDir()
	then := time.Now().Add(-10000 * time.Hour)
	lock := filepath.Join(dir, "lock")
	for range 2 {
		if _, err := suite.Count(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(lock, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

// Where nothing can be remembered, tests are explored and told of all the same.
func TestLedgerThatCannotBeWritten(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"explored", "failed"} {
		if err := os.WriteFile(filepath.Join(cache, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := runs(t, suite.Config{Cache: cache, Schedules: 100}, "TestMany")
	if want := "ok  \t" + here + "\t0.02s\t1 test, 1 concurrent, 100 schedules (100 distinct)\n"; !got.ok || got.out != want {
		t.Errorf("got ok: %t\n%s\nwant\n%s", got.ok, got.out, want)
	}
	for _, want := range []string{"jacquard: what earlier runs have explored is forgotten: ", "jacquard: what was explored is not remembered: "} {
		if !strings.Contains(got.errs, want) {
			t.Errorf("no %q in %q", want, got.errs)
		}
	}
}

// A file that is damaged, in whatever way, is as good as none. What a process has
// left that was killed while it wrote does no harm, and goes some day.
func TestLedgerDamaged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "count.json")
	for _, text := range []string{"", "{", "null", "[]", `{"Tests":{"n":7}}`, `{"Sum":"00","Tests":{"n":7}}`, "\x00\x00\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := suite.Count(dir); n != 1 || err != nil {
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
		if _, err := suite.Count(dir); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(left); os.IsNotExist(err) != (age > 0) {
			t.Errorf("after %v: got %v", age, err)
		}
	}
}
