package lines_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/stress/soak/lines"
)

type entry struct {
	N int `json:"n"`
}

// Written lines are read back, except a torn one. Other text is an error.
func TestLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	f, err := lines.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := lines.Write(f, entry{n}); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (all []int, err error) {
		err = lines.Read(name, func(e *entry) error { all = append(all, e.N); return nil })
		return all, err
	}
	for _, torn := range []string{"", `{"n":`} {
		if _, err := f.WriteString(torn); err != nil {
			t.Fatal(err)
		}
		if got, err := read(); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("with %q: got %v, %v, want 0 to 2", torn, got, err)
		}
	}
	if _, err := f.WriteString("}\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), `{\"n\":}`) {
		t.Errorf("got %v, want an error with the file and the line", err)
	}
	mine := errors.New("mine")
	if err := lines.Read(name, func(*entry) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("got %v, want %v", err, mine)
	}
	if _, err := lines.Create(name); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v, want an error that the file exists", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
