package house_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCoverageGate runs the script behind make cover on profiles made up for
// it: a gate is worth what it refuses.
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
			out, err := run(must(t, root), ".ci/coverage", "97", profile, "cache")
			if (err != nil) != c.fails || !strings.Contains(out, c.want) {
				t.Errorf("got %q, %v; want %q, failing %v", out, err, c.want, c.fails)
			}
		})
	}
}
