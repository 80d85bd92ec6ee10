package suite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/suite"
)

// The newest failure of a test is known by its name, with the way in which it was run,
// in the folder of its package and above.
func TestNewest(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cfg := suite.Config{Cache: t.TempDir(), Dir: dir, NoRace: true, Args: []string{"weft"}}
	if _, err := suite.Newest(cfg, ""); !errors.Is(err, suite.ErrNoFailure) {
		t.Errorf("before any run: got %v, want %v", err, suite.ErrNoFailure)
	}
	if got := runs(t, cfg, "TestRacy"); got.ok {
		t.Fatalf("got no failure:\n%s", got.out)
	}
	for _, name := range []string{"", "TestRacy", here + ".TestRacy", "./.TestRacy"} {
		f, err := suite.Newest(cfg, name)
		if err != nil || f.Test != "TestRacy" || f.Package != here || f.Card != "jq2-fake" {
			t.Errorf("%q: got %+v, %v", name, f, err)
		}
		var again suite.Config
		if f.Set(&again); again.Dir != dir || !again.NoRace || len(again.Args) != 1 {
			t.Errorf("%q: got %+v, want it as it was run", name, again)
		}
	}
	linked := cfg
	linked.Dir = filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, linked.Dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TestRacy", "./.TestRacy"} {
		if f, err := suite.Newest(linked, name); err != nil || f.Card != "jq2-fake" {
			t.Errorf("%q through a link: got %+v, %v", name, f, err)
		}
	}
	elsewhere := cfg
	elsewhere.Dir = t.TempDir()
	for name, cfg := range map[string]suite.Config{"TestOther": cfg, "": elsewhere, here + ".TestOther": cfg} {
		if f, err := suite.Newest(cfg, name); !errors.Is(err, suite.ErrNoFailure) {
			t.Errorf("%q: got %+v, %v, want %v", name, f, err, suite.ErrNoFailure)
		}
	}
}
