package overlay_test

import (
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

func local(t *testing.T) overlay.Toolchain {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return overlay.Toolchain{Root: lines[0], Version: lines[1], OS: runtime.GOOS, Arch: runtime.GOARCH}
}

func TestWriteIsRepeatable(t *testing.T) {
	dir, tc := t.TempDir(), local(t)
	first, err := overlay.Write(dir, tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := overlay.Write(dir, tc, nil)
	if err != nil || second != first {
		t.Fatalf("got %q, %v; want %q", second, err, first)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	third, err := overlay.Write(moved, tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(third); err != nil || strings.Contains(string(text), dir) || !strings.Contains(string(text), moved) {
		t.Errorf("after a move got %v and\n%.200s\nwant files in %s", err, text, moved)
	}
}

// What the edits leave has the line that it has in the installation.
func TestLinesStay(t *testing.T) {
	tc := local(t)
	index, err := overlay.Write(t.TempDir(), tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for path, edited := range contents(t, index) {
		original, err := os.ReadFile(path)
		if err != nil || !strings.HasSuffix(path, ".go") {
			continue // added, or assembly
		}
		now := lines(edited)
		for text, line := range lines(string(original)) {
			if now[text] == 0 || line == 0 {
				continue
			}
			if compared++; now[text] != line {
				t.Errorf("%s: %q is line %d, want %d", path, text, now[text], line)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("compared %d lines, want most of the edited files", compared)
	}
}

// lines returns the numbers of a text's lines as line directives change them, and 0 for those that
// occur twice.
func lines(text string) map[string]int {
	found, n := make(map[string]int), 0
	for line := range strings.Lines(text) {
		n++
		if _, err := fmt.Sscanf(line, "//line :%d:1\n", &n); err == nil {
			n--
			continue
		}
		if _, there := found[line]; there {
			found[line] = 0
			continue
		}
		found[line] = n
	}
	return found
}

func TestNoEditIsMadeTwice(t *testing.T) {
	if got := overlay.Twice(); len(got) > 0 {
		t.Errorf("got %q, want none", got)
	}
}

// The edits for both processors fit the installed version, whatever processor runs the test.
func TestEveryArchitectureFits(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		tc := local(t)
		tc.Arch = goarch
		if _, err := overlay.Write(t.TempDir(), tc, nil); err != nil {
			t.Errorf("%s: %v", goarch, err)
		}
	}
}

// The unwinder can unwind assembly that the overlay adds only if the assembler
// tracks the stack pointer: on arm64 it tracks ADD and SUB, but not MOVD.W and
// MOVD.P.
func TestStackPointerIsFollowed(t *testing.T) {
	tc := local(t)
	tc.Arch = "arm64"
	index, err := overlay.Write(t.TempDir(), tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(index), "runtime_jacquard_atomic.s"))
	if err != nil {
		t.Fatal(err)
	}
	if moved := regexp.MustCompile(`(?m)^.*\.[WP]\t.*\(RSP\).*$`).FindString(string(text)); moved != "" || !strings.Contains(string(text), "SUB\t$16, RSP") {
		t.Errorf("got %q, want the stack pointer to be moved by SUB and ADD", moved)
	}
}

func TestUnsupported(t *testing.T) {
	for _, change := range []func(*overlay.Toolchain){
		func(tc *overlay.Toolchain) { tc.Version = "go1.24.3" },
		func(tc *overlay.Toolchain) { tc.Version = "go1.28.0" },
		func(tc *overlay.Toolchain) { tc.Arch = "riscv64" },
	} {
		tc := local(t)
		change(&tc)
		if _, err := overlay.Write(t.TempDir(), tc, nil); !errors.Is(err, overlay.ErrUnsupported) {
			t.Errorf("%+v: got %v, want %v", tc, err, overlay.ErrUnsupported)
		}
	}
}

// Write refuses a changed runtime with an AnchorError, before it writes anything.
func TestMissingAnchor(t *testing.T) {
	tc, root, dir := local(t), t.TempDir(), t.TempDir()
	copyEdited(t, tc, root)
	proc := filepath.Join(root, "src", "runtime", "proc.go")
	text, err := os.ReadFile(proc)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "func ready(gp *g,", "func readied(gp *g,", 1)
	if err := os.WriteFile(proc, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	tc.Root = root
	_, err = overlay.Write(dir, tc, nil)
	var anchor *overlay.AnchorError
	if !errors.As(err, &anchor) {
		t.Fatalf("got %v, want an AnchorError", err)
	}
	if anchor.File != "runtime/proc.go" || anchor.Version != tc.Version || anchor.Got != 0 {
		t.Errorf("got %+v", anchor)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left %v behind", left)
	}
}

// A file that lacks any of the anchors is refused.
func TestEveryAnchorIsNeeded(t *testing.T) {
	tc := local(t)
	all, err := overlay.Anchors(tc)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, anchors := range all {
		text, err := os.ReadFile(filepath.Join(tc.Root, "src", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, anchor := range anchors {
			tried++
			without := strings.ReplaceAll(string(text), anchor, strings.ToUpper(anchor))
			var refused *overlay.AnchorError
			if _, err := overlay.Edit(tc, name, without); !errors.As(err, &refused) || refused.File != name {
				t.Errorf("%s without %q: got %v, want an AnchorError", name, anchor, err)
			}
		}
	}
	if tried < 200 {
		t.Errorf("tried %d anchors, want most", tried)
	}
}

// copyEdited copies the files that the overlay edits.
func copyEdited(t *testing.T, tc overlay.Toolchain, to string) {
	t.Helper()
	index, err := overlay.Write(t.TempDir(), tc, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path := range contents(t, index) {
		text, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // the overlay adds it
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, tc.Root))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(copied), 0o700), os.WriteFile(copied, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// The added files are gofmt-formatted; tools do not check them, because of their
// names.
func TestAddedFilesAreFormatted(t *testing.T) {
	var names []string
	for _, pattern := range []string{"*/*.go.txt", "*/*/*.go.txt"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 20 {
		t.Fatalf("got %q, want all files", names)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
			t.Errorf("%s: %v; gofmt would change it", name, err)
		}
	}
}
