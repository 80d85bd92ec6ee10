package lifecycle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// closedDatabase returns the contents of a database file with some plans, and the
// state that a service reads from it.
func closedDatabase(t *testing.T) (data []byte, says string) {
	t.Helper()
	url := storetest.FileURL(t)
	s, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url})
	check(t, err)
	for range 30 {
		populated(t, s)
	}
	says = state(t, s)
	check(t, s.Close())
	data, err = os.ReadFile(pathOf(url))
	check(t, err)
	return data, says
}

// A file that is no database is refused, which is not remembered. Once a database
// has replaced it, that can be opened.
func TestSQLiteFileThatIsNoDatabase(t *testing.T) {
	ctx := context.Background()
	good, says := closedDatabase(t)
	damaged := map[string][]byte{
		"text":               bytes.Repeat([]byte("not a database. "), 100),
		"another header":     append([]byte("SQLite format 9\x00"), good[16:]...),
		"half a header":      good[:50],
		"a header only":      good[:100],
		"a page and a bit":   good[:5000],
		"an end missing":     good[:len(good)/2],
		"a page of nonsense": append(bytes.Repeat([]byte{0xa5}, 4096), good[4096:]...),
	}
	for name, data := range damaged {
		url, engines := storetest.FileURL(t), storetest.Engines(t)
		check(t, os.WriteFile(pathOf(url), data, 0o644))
		s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
		if err == nil { // perhaps only a read notices
			_, err = s.ListPlans(ctx)
		}
		failsAs(t, name, url, err, lifecycle.ErrCorrupt)
		putSound(t, url, good)
		if got := state(t, open(t, lifecycle.Config{URL: url, Engines: engines})); got != says {
			t.Errorf("%s: got %s\nwant the content of the file that replaced it", name, got)
		}
	}
}

func TestPathsThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	check(t, os.WriteFile(file, nil, 0o644))
	tests := map[string]string{ // by a part of the error
		"its mode is d":             dir,
		"no such file or directory": filepath.Join(dir, "missing", "plans.db"),
		"not a directory":           filepath.Join(file, "plans.db"),
		"file name too long":        filepath.Join(dir, strings.Repeat("x", 1000)),
	}
	for want, path := range tests {
		url := "sqlite:///" + path
		_, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url})
		failsAs(t, want, url, err, lifecycle.ErrUnavailable)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

// An empty file is a database without a schema, like a new one.
func TestSQLiteEmptyFile(t *testing.T) {
	url := storetest.FileURL(t)
	check(t, os.WriteFile(pathOf(url), nil, 0o644))
	newPlan(t, open(t, lifecycle.Config{URL: url}))
}

// Each page is overwritten in turn. Reads are right, or the error says that the
// database is corrupt. Once a sound copy has replaced the damaged file, the same
// service works again.
func TestSQLiteDamagedPages(t *testing.T) {
	ctx := context.Background()
	good, says := closedDatabase(t)
	const size = 4096
	found := 0
	for page := 1; page < len(good)/size; page++ {
		url := storetest.FileURL(t)
		damaged := slices.Clone(good)
		copy(damaged[page*size:], bytes.Repeat([]byte{0xff}, size))
		check(t, os.WriteFile(pathOf(url), damaged, 0o644))
		s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: storetest.Engines(t)})
		if err != nil { // the page has the schema
			failsAs(t, fmt.Sprint("page ", page), url, err, lifecycle.ErrCorrupt)
			found++
			continue
		}
		got, err := tryState(ctx, s)
		switch {
		case err != nil:
			failsAs(t, fmt.Sprint("page ", page), url, err, lifecycle.ErrCorrupt)
			found++
		case got != says:
			t.Errorf("page %d: got %s\nwant the original content, or an error", page, got)
		}
		putSound(t, url, good)
		if got := state(t, s); got != says {
			t.Errorf("page %d: got %s\nwant the content of the sound copy", page, got)
		}
		newPlan(t, s)
		check(t, s.Close())
	}
	if found < 3 {
		t.Errorf("got errors for %d of %d damaged pages, want those with rows", found, len(good)/size)
	}
}

// If a file is cut off or overwritten while it is open, which no program should
// do to another, that is noticed too.
func TestSQLiteFileOverwrittenMeanwhile(t *testing.T) {
	ctx := context.Background()
	good, says := closedDatabase(t)
	for name, data := range map[string][]byte{"empty": nil, "text": bytes.Repeat([]byte("not a database. "), 5000)} {
		url := storetest.FileURL(t)
		putSound(t, url, good)
		s := open(t, lifecycle.Config{URL: url})
		plans, err := s.ListPlans(ctx)
		check(t, err)
		check(t, os.WriteFile(pathOf(url), data, 0o644))
		for i := range 3 {
			_, err := s.StartStrategize(ctx, plans[i].ID)
			if !errors.Is(err, lifecycle.ErrCorrupt) && !errors.Is(err, lifecycle.ErrUnavailable) {
				t.Errorf("%s: got %v, want ErrCorrupt, or ErrUnavailable for a file without a schema", name, err)
			}
		}
		putSound(t, url, good)
		if got := state(t, s); got != says {
			t.Errorf("%s: got %s\nwant the content of the sound copy", name, got)
		}
	}
}

// putSound replaces a database by a sound file.
func putSound(t *testing.T, url string, data []byte) {
	t.Helper()
	fresh := storetest.FileURL(t)
	check(t, os.WriteFile(pathOf(fresh), data, 0o644))
	for _, name := range beside(url) {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	check(t, os.Rename(pathOf(fresh), pathOf(url)))
}
