package explore_test

import (
	"context"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A user is another module that requires this one, as a user of Jacquard has it.
type user struct {
	t   *testing.T
	dir string
	env []string
}

func newUser(t *testing.T, test string) *user {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, dir: t.TempDir(), env: append(os.Environ(), "JACQUARD_CACHE="+t.TempDir())}
	module := "example.com/" + filepath.Base(filepath.Dir(u.dir)) // the go command's cache of test inputs uses the module's name
	for _, name := range []string{"go.mod", "go.sum"} {           // the same versions, because others may not be available
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		u.write(name, string(text))
	}
	const own = "github.com/jacquard-go/jacquard"
	if out, err := u.command("go", "mod", "edit", "-module="+module, "-require="+own+"@v0.0.0", "-replace="+own+"="+root); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	u.write("user_test.go", userTest(test))
	return u
}

// userTest returns a test file with a test.
func userTest(test string) string {
	return "package user\n\nimport (\n\t\"sync/atomic\"\n\t\"testing\"\n\n\t\"github.com/jacquard-go/jacquard/explore\"\n)\n\n" + test
}

func (u *user) write(name, text string) {
	u.t.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o600); err != nil {
		u.t.Fatal(err)
	}
}

func (u *user) command(name string, args ...string) (string, error) {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = u.dir
	cmd.Env = append(u.env, "GOFLAGS=-mod=mod -buildvcs=false -ldflags=-w") // linking unused debug information takes long
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// fuzz runs go test -fuzz. The go command then rebuilds the standard library, for a process
// that only starts the controlled one. With -short it instead builds a plain test binary and
// runs it with the go command's flags.
func (u *user) fuzz(target, fuzztime, minimize string) (string, error) {
	u.t.Helper()
	if !testing.Short() {
		return u.command("go", "test", "-run=^$", "-fuzz="+target, "-fuzztime="+fuzztime, "-fuzzminimizetime="+minimize, ".")
	}
	if out, err := u.command("go", "test", "-c", "-o=user.test", "."); err != nil {
		u.t.Fatalf("%v\n%s", err, out)
	}
	return u.command("./user.test", "-test.run=^$", "-test.fuzz="+target, "-test.fuzzcachedir="+u.t.TempDir(), "-test.fuzztime="+fuzztime, "-test.fuzzminimizetime="+minimize)
}

// launcher builds, once, the test binary that go test would start now. The binary itself
// builds the controlled process, so later edits have an effect.
func (u *user) launcher() string {
	u.t.Helper()
	binary := filepath.Join(u.t.TempDir(), "user.test")
	if out, err := u.command("go", "test", "-c", "-o", binary, "."); err != nil {
		u.t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

const lostUpdate = `func TestCounter(t *testing.T) {
	explore.Test(t, explore.Config{}, func(t *explore.T) {
		var n atomic.Int64
		t.Go("one", func() { v := n.Load(); n.Store(v + 1) })
		t.Go("two", func() { v := n.Load(); n.Store(v + 1) })
		t.Wait()
		if n.Load() != 2 {
			t.Errorf("n is %d, want 2", n.Load())
		}
	})
}
`

// Plain go test in another module explores. It prints the failing schedule and a command line
// that replays it.
func TestPlainGoTestFails(t *testing.T) {
	u := newUser(t, lostUpdate)
	out, err := u.command("go", "test", ".")
	if err == nil {
		t.Fatalf("got no failure, want one:\n%s", out)
	}
	for _, want := range []string{"under control", "violated: check", "n is 1, want 2", "user_test.go:14", "1 preemption"} {
		if !strings.Contains(out, want) {
			t.Errorf("got no %q in the output:\n%s", want, out)
		}
	}
	replay := regexp.MustCompile(`replay: (JACQUARD_CARD=(jq2-\S+) (go test .*))`).FindStringSubmatch(out)
	if replay == nil {
		t.Fatalf("got no line that replays the failure, want one:\n%s", out)
	}
	again, err := u.command("sh", "-c", replay[1])
	if err == nil || !strings.Contains(again, replay[2]) || !strings.Contains(again, "exactly replayed from its card") {
		t.Errorf("%s: got %v, want the failure exactly replayed\n%s", replay[1], err, again)
	}
	u.env = append(u.env, "JACQUARD_CARD=jq2-AAAA")
	if out, err := u.command("go", "test", "."); err == nil || !strings.Contains(out, "not a card") {
		t.Errorf("a garbled card: got %v, want that it is not a card\n%s", err, out)
	}
}

// A correct test passes and prints what was explored. The flag -short reaches the controlled
// process.
func TestPlainGoTestPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	u := newUser(t, strings.NewReplacer("v := n.Load(); n.Store(v + 1)", "n.Add(1)", "n.Load() != 2", "n.Load() != 2 || !testing.Short()").Replace(lostUpdate))
	out, err := u.command("go", "test", "-short", "-v", ".")
	if err != nil || !strings.Contains(out, "holds: exhausted: 1 execution, and no other that differs by happens-before") {
		t.Errorf("got %v, want it to hold, exhausted\n%s", err, out)
	}
}

// Without the race detector plain go test also explores, and needs no C compiler. It prints
// what it did not look for. Its cards fit builds without the detector.
func TestPlainGoTestWithoutRaceDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	u := newUser(t, lostUpdate)
	plain := u.env
	u.env = append(slices.Clone(plain), "JACQUARD_RACE=0", "CC=/nonexistent/cc", "CGO_ENABLED=0")
	out, err := u.command("go", "test", ".")
	replay := regexp.MustCompile(`replay: (JACQUARD_RACE=0 (JACQUARD_CARD=jq2-\S+) go test .*)`).FindStringSubmatch(out)
	if err == nil || replay == nil || !strings.Contains(out, "data races were not looked for") {
		t.Fatalf("got %v, want the failure, a replay line, and that data races were not looked for\n%s", err, out)
	}
	if again, err := u.command("sh", "-c", replay[1]); err == nil || !strings.Contains(again, "replayed from its card") {
		t.Errorf("%s: got %v, want the failure replayed\n%s", replay[1], err, again)
	}
	u.env = append(slices.Clone(plain), replay[2])
	if other, err := u.command("go", "test", "."); err == nil || !strings.Contains(other, "re-anchored") {
		t.Errorf("with the race detector: got %v, want the card re-anchored\n%s", err, other)
	}
	u.env = append(slices.Clone(plain), "JACQUARD_RACE=maybe")
	if other, err := u.command("go", "test", "."); err == nil || !strings.Contains(other, `got "maybe", want 1 or 0`) {
		t.Errorf("with an unknown setting: got %v, want it refused\n%s", err, other)
	}
}

// Without a C compiler there is no control with the race detector. The test says so, and that
// it explores nothing.
func TestPlainGoTestWithoutControl(t *testing.T) {
	u := newUser(t, strings.ReplaceAll(lostUpdate, "v := n.Load(); n.Store(v + 1)", "n.Add(1)"))
	u.env = append(u.env, "CC=/nonexistent/cc", "CGO_ENABLED=0")
	out, err := u.command("go", "test", "-v", ".")
	if err != nil || !strings.Contains(out, "C compiler") || !strings.Contains(out, "JACQUARD_RACE=0") || !strings.Contains(out, "this explores nothing") || strings.Contains(out, "holds") {
		t.Errorf("got %v, want it to pass, and that it explores nothing\n%s", err, out)
	}
}

const fuzzedUpdate = `func FuzzCounter(f *testing.F) {
	explore.Fuzz(f, explore.Config{}, func(t *explore.T) {
		var n atomic.Int64
		for range 2 {
			t.Go("adder", func() { v := n.Load(); n.Store(v + 1) })
		}
		t.Wait()
		if err := here(); err != nil {
			t.Errorf("the file of this source: %v", err)
		}
		if n.Load() != 2 {
			t.Errorf("n is %d, want 2", n.Load())
		}
	})
}
`

// whereabouts is a file that reports whether the path that runtime.Caller returns for it exists.
const whereabouts = `package user

import (
	"os"
	"runtime"
)

func here() error {
	_, file, _, _ := runtime.Caller(0)
	_, err := os.Stat(file)
	return err
}
`

// Plain go test runs a fuzz target's seeds for schedules. go test -fuzz finds a failing
// schedule, reports its card and stores the input, which then is one of the seeds.
func TestFuzz(t *testing.T) {
	u := newUser(t, strings.ReplaceAll(fuzzedUpdate, "v := n.Load(); n.Store(v + 1)", "n.Add(1)"))
	u.write("here_test.go", whereabouts)
	if out, err := u.command("go", "test", "-v", "."); err != nil || !strings.Contains(out, "--- PASS: FuzzCounter/seed#1") {
		t.Errorf("right: got %v, want the seeds to pass\n%s", err, out)
	}
	u.write("user_test.go", strings.ReplaceAll(string(must(os.ReadFile(filepath.Join(u.dir, "user_test.go")))), "n.Add(1)", "v := n.Load(); n.Store(v + 1)"))
	out, err := u.fuzz("FuzzCounter", "2000x", "5x")
	if err == nil || !strings.Contains(out, "n is 1, want 2") || !strings.Contains(out, "JACQUARD_CARD=") || strings.Contains(out, "the file of this source") {
		t.Errorf("fuzzed: got %v, want the failure with its card\n%s", err, out)
	}
	out, err = u.command("go", "test", ".")
	if err == nil || !strings.Contains(out, "n is 1, want 2") {
		t.Errorf("afterwards: got %v, want the failure of the stored input\n%s", err, out)
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

const fuzzedPrograms = `func FuzzPrograms(f *testing.F) {
	explore.FuzzProgram(f, explore.FuzzConfig{}, func(t *explore.T, program []byte) {
		var n atomic.Int64
		want := int64(0)
		for range 2 {
			t.Go("adder", func() {
				for _, b := range program {
					if b&1 == 1 {
						v := n.Load()
						n.Store(v + 1)
					}
				}
			})
		}
		for _, b := range program {
			want += 2 * int64(b&1)
		}
		t.Wait()
		if n.Load() != want {
			t.Errorf("n is %d; want %d", n.Load(), want)
		}
	})
}
`

// An input can be a program and its schedule. The go command searches for both and minimises
// both within its limits. The failure's card replays with its program.
func TestFuzzProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	u := newUser(t, fuzzedPrograms)
	var replay []string
	for try := range 3 {
		out, err := u.fuzz("FuzzPrograms", "20000x", "2000x")
		replay = regexp.MustCompile(`replay: (JACQUARD_PROGRAM=(\w+)) (JACQUARD_CARD=jq2-\S+) go test .*`).FindStringSubmatch(out)
		if err == nil || replay == nil {
			t.Fatalf("got %v\n%s", err, out)
		}
		if !slices.ContainsFunc(must(hex.DecodeString(replay[2])), func(b byte) bool { return b&1 == 0 }) {
			break
		}
		if try == 2 {
			t.Errorf("got the program %s, want no byte that does nothing", replay[2])
			break
		}
		if err := os.RemoveAll(filepath.Join(u.dir, "testdata")); err != nil { // the go command keeps the input there
			t.Fatal(err)
		}
	}
	out, err := u.command("go", "test", ".")
	if err == nil || !strings.Contains(out, "; want ") {
		t.Errorf("afterwards: got %v, want the failure of the stored input\n%s", err, out)
	}
	u.env = append(u.env, replay[1], replay[3])
	if out, err = u.command("go", "test", "-run=FuzzPrograms", "."); err == nil || !strings.Contains(out, "; want ") || !strings.Contains(out, "re-anchored") {
		t.Errorf("by its card: got %v, want the failure\n%s", err, out)
	}
	u.env = append(u.env, "JACQUARD_PROGRAM=odd")
	if out, err = u.command("go", "test", "-run=FuzzPrograms", "."); err == nil || !strings.Contains(out, "JACQUARD_PROGRAM") {
		t.Errorf("by a malformed program: got %v, want it refused\n%s", err, out)
	}
}

// The fuzzer counts an interleaving that covers no new branch as new if operations conflict
// in it in a new order.
func TestFuzzSeesInterleavings(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	u := newUser(t, `func FuzzCounter(f *testing.F) {
	explore.Fuzz(f, explore.Config{}, func(t *explore.T) {
		var n atomic.Int64
		t.Go("one", func() { n.Store(1); n.Store(2); n.Store(3); n.Store(4) })
		t.Go("two", func() { n.Store(5); n.Store(6); n.Store(7); n.Store(8) })
		t.Wait()
	})
}
`)
	out, err := u.fuzz("FuzzCounter", "2000x", "1x")
	seen := regexp.MustCompile(`new interesting: (\d+)`).FindAllStringSubmatch(out, -1)
	if err != nil || len(seen) == 0 || seen[len(seen)-1][1] == "0" {
		t.Errorf("got %v, want a new interleaving\n%s", err, out)
	}
}
