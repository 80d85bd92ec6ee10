package overlay_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

// contents returns the overlay's text for each path.
func contents(t *testing.T, index string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for path, file := range list.Replace {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list.Replace[path] = string(text)
	}
	return list.Replace
}

// replaced returns a function for the overlay's text of a file below GOROOT/src.
func replaced(t *testing.T, tc overlay.Toolchain, index string) func(name string) (text string, ok bool) {
	t.Helper()
	all := contents(t, index)
	return func(name string) (string, bool) {
		text, ok := all[filepath.Join(tc.Root, "src", filepath.FromSlash(name))]
		return text, ok
	}
}

// A guest contains files for controlled builds without their constraint, omits files
// for other builds, and keeps all other constraints.
func TestGuestConstraints(t *testing.T) {
	const absent = "absent"
	cases := map[string]string{
		"jacquard":                      "",
		"!jacquard":                     absent,
		"race":                          "//go:build race",
		"jacquard && race":              "//go:build race",
		"race && jacquard":              "//go:build race",
		"race && !jacquard":             absent,
		"race || jacquard":              "",
		"!jacquard || race":             "//go:build race",
		"race || !jacquard":             "//go:build race",
		"!(jacquard && race)":           "//go:build !race",
		"!(race || !jacquard)":          "//go:build !race",
		"linux && (jacquard || race)":   "//go:build linux",
		"(linux || darwin) && jacquard": "//go:build linux || darwin",
		"jacquard && (linux && !race)":  "//go:build linux && !race",
		"jacquard && !(race || !linux)": "//go:build !(race || !linux)",
		"!jacquard && (race || unix)":   absent,
	}
	source := fstest.MapFS{}
	for expr := range cases {
		source["p/"+expr+".go"] = &fstest.MapFile{Data: []byte("//go:build " + expr + "\n\npackage p\n")}
	}
	tc := local(t)
	index, err := overlay.Write(t.TempDir(), tc, source)
	if err != nil {
		t.Fatal(err)
	}
	read := replaced(t, tc, index)
	for expr, want := range cases {
		got, ok := read("internal/jacquard/p/" + expr + ".go")
		if !ok {
			got = absent
		}
		if got, _, _ = strings.Cut(got, "\n"); got != want {
			t.Errorf("%s: got %q, want %q", expr, got, want)
		}
	}
}

// A guest's packages import one another by their paths in the guest. Tests are omitted,
// and embedded files are included.
func TestGuestFiles(t *testing.T) {
	const import1, import2 = "package guest\n\nimport _ \"github.com/jacquard-go/jacquard/explore\"\n", "package guest\n\nimport _ \"internal/jacquard/explore\"\n"
	source := fstest.MapFS{
		"suite/guest/guest.go":      {Data: []byte(import1)},
		"suite/guest/guest_test.go": {Data: []byte(import1)},
		"suite/guest/page.html":     {Data: []byte("github.com/jacquard-go/jacquard/explore")},
	}
	tc := local(t)
	dir := t.TempDir()
	index, err := overlay.Write(dir, tc, source)
	if err != nil {
		t.Fatal(err)
	}
	read := replaced(t, tc, index)
	for name, want := range map[string]string{
		"internal/jacquard/suite/guest/guest.go":      import2,
		"internal/jacquard/suite/guest/guest_test.go": "",
		"internal/jacquard/suite/guest/page.html":     "github.com/jacquard-go/jacquard/explore",
		"testing/internal/testdeps/jacquard.go":       "package testdeps\n\nimport _ \"internal/jacquard/suite/guest\"\n",
	} {
		if got, _ := read(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}

	source["suite/guest/guest.go"].Data = append(source["suite/guest/guest.go"].Data, '\n')
	if other, err := overlay.Write(dir, tc, source); err != nil || other == index {
		t.Errorf("another source: got %s, %v; want another overlay", other, err)
	}
	if plain, err := overlay.Write(dir, tc, nil); err != nil || plain == index {
		t.Errorf("no guest: got %s, %v; want another overlay", plain, err)
	}
}

// Builds with and without a guest share the compiled standard library, because the
// overlay's changes to it are the same.
func TestGuestSharesTheRest(t *testing.T) {
	tc, dir := local(t), t.TempDir()
	plain, err := overlay.Write(dir, tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	guest, err := overlay.Write(dir, tc, fstest.MapFS{"p/p.go": {Data: []byte("package p\n")}})
	if err != nil {
		t.Fatal(err)
	}
	with := contents(t, guest)
	for path, text := range contents(t, plain) {
		if with[path] != text {
			t.Errorf("%s differs in a build with a guest", path)
		}
	}
}

// The go command finds a package of the standard library that only the overlay contains
// only if its files are not new, and it caches information about files by size and
// time.
func TestDates(t *testing.T) {
	tc, source := local(t), fstest.MapFS{
		"p/a.go": {Data: []byte("package p\n\nimport _ \"fmt\"\n")},
		"p/b.go": {Data: []byte("package p\n\nimport _ \"net\"\n")},
	}
	index, err := overlay.Write(t.TempDir(), tc, source)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[time.Time]string)
	for name := range source {
		info, err := os.Stat(filepath.Join(filepath.Dir(index), "internal_jacquard_"+strings.ReplaceAll(name, "/", "_")))
		if err != nil {
			t.Fatal(err)
		}
		date := info.ModTime()
		if other := seen[date]; other != "" || time.Since(date) < 365*24*time.Hour {
			t.Errorf("%s: got the time %v, want one long ago and not that of %q", name, date, other)
		}
		seen[date] = name
	}
}

func TestGuestErrors(t *testing.T) {
	bad := fstest.MapFS{"p/bad.go": {Data: []byte("//go:build (\n\npackage p\n")}}
	if _, err := overlay.Write(t.TempDir(), local(t), bad); err == nil || !strings.Contains(err.Error(), "overlay: p/bad.go: ") {
		t.Errorf("got %v, want one that names the file", err)
	}
	if _, err := overlay.Write(t.TempDir(), local(t), os.DirFS(filepath.Join(t.TempDir(), "none"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
}
