package toolchain_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// exploringGuest explores a body of its own as soon as the process starts.
const exploringGuest = `package guest

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/search"
)

func init() {
	r, err := search.Run(context.Background(), search.Config{Name: "order"}, func(t *engine.T) {
		var order []string
		for _, name := range []string{"first", "second"} {
			t.Go(name, func() { order = append(order, name) })
		}
		t.Wait()
		if order[0] != "first" {
			t.Errorf("got %v", order)
		}
	})
	fmt.Println("guest:", r.Verdict, r.Reason, err)
}
`

// exploring returns the source of this module with that guest.
func exploring(t *testing.T) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(jacquard.Source(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "suite/guest/") {
			return err
		}
		text, err := fs.ReadFile(jacquard.Source(), name)
		files[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files["suite/guest/guest.go"] = &fstest.MapFile{Data: []byte(exploringGuest)}
	return files
}

const (
	plainTest    = "\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\n"
	internalTest = "package p" + plainTest + "func TestInternal(*testing.T) { fmt.Println(\"internal\") }\n"
	externalTest = "package p_test" + plainTest + "func TestExternal(*testing.T) { fmt.Println(\"external\") }\n"
)

// A guest is in the test binary of a module that does not require this one, with all
// kinds of tests, and controls goroutines there.
func TestGuest(t *testing.T) {
	source, cache := exploring(t), t.TempDir()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"internal", map[string]string{"p.go": "package p\n", "p_test.go": internalTest}, []string{"internal"}},
		{"external", map[string]string{"p.go": "package p\n", "p_test.go": externalTest}, []string{"external"}},
		{"both", map[string]string{"p.go": "package p\n", "p_test.go": internalTest, "x_test.go": externalTest}, []string{"internal", "external"}},
		{"no package but tests", map[string]string{"x_test.go": externalTest}, []string{"external"}},
		{"tags", map[string]string{
			"p.go":        "package p\n",
			"p_test.go":   "//go:build mine && !jacquard\n\n" + internalTest,
			"bad_test.go": "//go:build jacquard || !mine\n\npackage p\n\nbad\n",
		}, []string{"internal"}},
		{"cgo", map[string]string{
			"p.go":      "package p\n\n// int two(void) { return 2; }\nimport \"C\"\n\nfunc Two() int { return int(C.two()) }\n",
			"p_test.go": "package p" + plainTest + "func TestC(*testing.T) { fmt.Println(\"two:\", Two()) }\n",
		}, []string{"two: 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, "example.com/p", c.files)
			got := output(t, mustBuild(t, toolchain.Request{Dir: dir, Cache: cache, Test: true, Guest: source, Tags: []string{"mine"}}), "-test.v")
			for _, want := range append(c.want, "guest: violated  <nil>", "PASS") {
				if !strings.Contains(got, want) {
					t.Errorf("got %q, want %q in it", got, want)
				}
			}
		})
	}
}

// The origin of the code makes no difference: a vendor directory, a workspace, a
// replaced module, or the module cache, whose files no overlay can replace.
func TestGuestInModules(t *testing.T) {
	const (
		needs   = "module example.com/p\n\ngo 1.25.0\n\nrequire example.com/q v1.0.0\n"
		useTest = "package p" + "\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"example.com/q\"\n)\n\nfunc TestQ(*testing.T) { fmt.Println(q.Name) }\n"
		library = "package q\n\nconst Name = \"the library\"\n"
		libMod  = "module example.com/q\n\ngo 1.25.0\n"
	)
	source, cache := exploring(t), t.TempDir()
	for _, c := range []struct {
		name, dir, pkg, want string
		files                map[string]string
	}{
		{"vendored", "", "", "the library", map[string]string{
			"go.mod": needs, "p_test.go": useTest, "vendor/example.com/q/q.go": library,
			"vendor/modules.txt": "# example.com/q v1.0.0\n## explicit; go 1.25.0\nexample.com/q\n",
		}},
		{"replaced", "p", "", "the library", map[string]string{
			"p/go.mod": needs + "\nreplace example.com/q => ../q\n", "p/p_test.go": useTest, "q/go.mod": libMod, "q/q.go": library,
		}},
		{"workspace", "p", "", "the library", map[string]string{
			"go.work": "go 1.25.0\n\nuse (\n\t./p\n\t./q\n)\n", "p/go.mod": needs, "p/p_test.go": useTest, "q/go.mod": libMod, "q/q.go": library,
		}},
		{"another of the workspace", "p", "example.com/q", "internal", map[string]string{
			"go.work": "go 1.25.0\n\nuse (\n\t./p\n\t./q\n)\n", "p/go.mod": needs, "q/go.mod": libMod, "q/q_test.go": strings.Replace(internalTest, "package p", "package q", 1),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				write(t, dir, name, text)
			}
			got := output(t, mustBuild(t, toolchain.Request{Dir: filepath.Join(dir, c.dir), Package: c.pkg, Cache: cache, Test: true, Guest: source}))
			if want := "guest: violated  <nil>\n" + c.want + "\nPASS"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	t.Run("module cache", func(t *testing.T) {
		const dependency = "golang.org/x/sync/singleflight"
		binary := mustBuild(t, toolchain.Request{Package: dependency, Cache: cache, Test: true, Guest: source})
		if got := output(t, binary, "-test.run=^TestDo$"); got != "guest: violated  <nil>\nPASS" {
			t.Errorf("got %q", got)
		}
	})
}

// The real guest prints nothing unless it is asked to work.
func TestGuestKeepsQuiet(t *testing.T) {
	dir := module(t, "example.com/p", map[string]string{"p.go": "package p\n", "p_test.go": internalTest})
	got := output(t, mustBuild(t, toolchain.Request{Dir: dir, Cache: t.TempDir(), Test: true, Guest: jacquard.Source()}))
	if got != "internal\nPASS" {
		t.Errorf("got %q, want what go test prints", got)
	}
}

func TestGuestInNoTest(t *testing.T) {
	err := fails(t, toolchain.Request{Dir: program(t, ""), Guest: jacquard.Source()})
	if !strings.Contains(err.Error(), "want a test binary") {
		t.Errorf("got %v, want one that asks for a test binary", err)
	}
}
