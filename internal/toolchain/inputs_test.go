package toolchain_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A change of any input triggers a build, and no other change does.
func TestInputs(t *testing.T) {
	files := map[string]string{
		"main.go": `package main

import (
	_ "embed"

	"example.com/other"
	"example.com/inputs/sub"
)

//go:embed data/text
var text string

func main() { print(text, sub.Text, other.Text) }
`,
		"data/text":     "a",
		"sub/sub.go":    "package sub\n\nvar Text = \"b\"\n",
		"third/go.mod":  "module example.com/other\n\ngo 1.25\n",
		"third/it.go":   "package other\n\nvar Text = \"c\"\n",
		"fourth/go.mod": "module example.com/other\n\ngo 1.25\n",
		"fourth/it.go":  "package other\n\nvar Text = \"e\"\n",
	}
	dir := module(t, "example.com/inputs", files)
	gomod := "module example.com/inputs\n\ngo 1.25\n\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./third\n"
	write(t, dir, "go.mod", gomod)
	built := false
	req := toolchain.Request{Dir: dir, Cache: t.TempDir(), NoRace: true, Progress: func(string) { built = true }}
	for _, c := range []struct {
		what, file, text string
		want             string
		build            bool
	}{
		{"nothing was there", "", "", "abc", true},
		{"nothing has changed", "", "", "abc", false},
		{"a file that is embedded", "data/text", "x", "xbc", true},
		{"a package", "sub/sub.go", "package sub\n\nvar Text = \"y\"\n", "xyc", true},
		{"another file", "sub/more.go", "package sub\n\nfunc init() { Text = \"z\" }\n", "xzc", true},
		{"another module", "third/it.go", "package other\n\nvar Text = \"d\"\n", "xzd", true},
		{"go.mod", "go.mod", strings.Replace(gomod, "./third", "./fourth", 1), "xze", true},
		{"no package", "data/more", "", "xze", true}, // not embedded, which Build does not know
		{"nothing", "", "", "xze", false},
	} {
		if c.file != "" {
			write(t, dir, c.file, c.text)
		}
		built = false
		if got := output(t, mustBuild(t, req)); got != c.want || built != c.build {
			t.Errorf("%s: got %q, built: %t; want %q, built: %t", c.what, got, built, c.want, c.build)
		}
	}
	t.Setenv("CGO_CFLAGS", "-O1")
	if built = false; output(t, mustBuild(t, req)) != "xze" || !built {
		t.Error("another environment: want it built")
	}
}

// Builds of different binaries do not wait for each other. A build that waits for the
// same binary reports it.
func TestBuildsDoNotQueue(t *testing.T) {
	cache := t.TempDir()
	one := toolchain.Request{Dir: program(t, "one"), Cache: cache, NoRace: true}
	two := toolchain.Request{Dir: program(t, "two"), Cache: cache, NoRace: true}
	binary := mustBuild(t, one)
	unlock, err := lockedfile.MutexAt(filepath.Join(filepath.Dir(filepath.Dir(binary)), "locks", filepath.Base(binary))).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if got := output(t, mustBuild(t, two)); got != "two" {
		t.Errorf("got %q, want two", got)
	}
	write(t, one.Dir, "more.go", "package main\n")
	var said sync.WaitGroup
	said.Add(2) // that it builds, and that it waits
	one.Progress = func(line string) {
		if last := "waiting for another jacquard, which builds the same"; !strings.HasPrefix(line, "building . under control") || strings.Contains(line, "waiting") && !strings.HasSuffix(line, last) {
			t.Errorf("got %q, want it to end with %q", line, last)
		}
		said.Done()
	}
	go func() {
		said.Wait()
		unlock()
	}()
	if got := output(t, mustBuild(t, one)); got != "one" {
		t.Errorf("got %q, want one", got)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Error(err)
	}
}
