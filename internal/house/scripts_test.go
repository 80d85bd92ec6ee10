package house_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The script that runs the tests for make test prints their names, all output of failing
// ones, and at the end what did not run.
func TestTestsAreTold(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/told\n\ngo 1.25.0\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) { t.Log(\"weft\") }\nfunc TestBad(t *testing.T) { t.Log(\"<warp> \\\\ \\\"\"); t.Fail() }\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestSkipped(t *testing.T) { t.Skip(\"did not run: no server\") }\n",
		"c/c_test.go": "package c\n\nvar _ = selvedge\n",
		"d/d_test.go": "package d\n\nimport \"testing\"\n\nfunc TestDies(t *testing.T) { panic(\"heddle\") }\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := run(dir, filepath.Join(must(t, root), ".ci", "test"), "./...")
	if err == nil || strings.Contains(out, "weft") {
		t.Errorf("got %v\n%s\nwant it to fail, without a word of what went well", err, out)
	}
	for _, want := range []string{
		"… a ", "a_test.go:6: <warp> \\ \"\n--- FAIL: TestBad", "FAIL\texample.com/told/a", "ok  \texample.com/told/b", "undefined: selvedge",
		"panic: heddle", "did NOT run: 1 tests of example.com/told/b (no server)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestCoverageGate runs make test's coverage script on made-up profiles, to show
// what it refuses.
func TestCoverageGate(t *testing.T) {
	const covered, missed = " 97 1\n", " 3 0\n"
	line := func(file, counts string) string { return module + "/" + file + ":1.1,2.2" + counts }
	for _, c := range []struct {
		name, profile string
		want          string // in the output
		fails         bool
	}{
		{"enough", line("cache/a.go", covered) + line("cache/b.go", missed), "got 97.00 % of 100 statements", false},
		{"too little", line("cache/a.go", " 9699 1\n") + line("cache/b.go", " 301 0\n"), "got 96.99 % of 10000 statements, want at least 97 %", true},
		{"another package", line("cache/a.go", covered) + line("cache/sub/a.go", " 100 0\n"), "got 100.00 %", false},
		{"nothing", "", "got no statements", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			profile := filepath.Join(t.TempDir(), "profile")
			if err := os.WriteFile(profile, []byte("mode: set\n"+c.profile), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := run(must(t, root), ".ci/coverage", profile, "cache=97")
			if (err != nil) != c.fails || !strings.Contains(out, c.want) {
				t.Errorf("got %q, %v; want %q, failing %v", out, err, c.want, c.fails)
			}
		})
	}
}
