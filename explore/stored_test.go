package explore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counter is the source of a program that loses an update. Tests edit it.
const counter = `package user

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

type counter struct {
	mu sync.Mutex
	n  atomic.Int64
}

func (c *counter) add() {
	v := c.n.Load()
	c.n.Store(v + 1)
}

func TestCounter(t *testing.T) {
	t.Run("twice/at once", func(t *testing.T) {
		explore.Test(t, explore.Config{}, func(t *explore.T) {
			c := new(counter)
			t.Go("one", c.add)
			t.Go("two", c.add)
			t.Wait()
			if n := c.n.Load(); n != 2 {
				t.Errorf("n is %d, want 2", n)
			}
		})
	})
}
`

// edited returns counter with an edit.
func edited(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(counter, old) {
		t.Fatalf("got no %q in the program, want one to edit", old)
	}
	return strings.ReplaceAll(counter, old, new)
}

// storedFiles returns the stored cards in a user's module: the content of each file by its
// name.
func (u *user) storedFiles() map[string]string {
	u.t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(filepath.Join(u.dir, "testdata"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(u.dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		u.t.Fatal(err)
	}
	return found
}

// A failure stores its card. The card finds the bug again before anything is explored,
// whatever else was edited. Once the bug is gone, the run says so and the test passes. With
// -short only every third of the edits that re-anchor the card is tried.
func TestStoredCards(t *testing.T) {
	u := newUser(t, lostUpdate)
	u.write("user_test.go", counter)
	out, err := u.command("go", "test", ".")
	if err == nil {
		t.Fatalf("got no failure, want one:\n%s", out)
	}
	stored := u.storedFiles()
	name, text := "", ""
	for name, text = range stored {
	}
	const folder = "testdata/jacquard/TestCounter/twice/at_once/check-"
	if len(stored) != 1 || !strings.HasPrefix(name, folder) || !strings.Contains(out, "card stored in "+name) {
		t.Fatalf("got the files %q, want one of %s…, and its name in the output:\n%s", stored, folder, out)
	}
	for _, want := range []string{"# A card of TestCounter/twice/at_once, made by go1.", "# check: n is 1, want 2\n", "# 1 preemption in ", "\njq2-"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in the stored card:\n%s", want, text)
		}
	}
	launcher := u.launcher()
	lock := edited(t, "	v := c.n.Load()", "	c.mu.Lock()\n	c.mu.Unlock()\n	v := c.n.Load()")
	for i, c := range []struct{ name, program, want string }{
		{"nothing", counter, "stored card " + name + ": exactly replayed"},
		{"a lock operation added in front", lock, "stored card " + name + ": re-anchored"},
		{"a local renamed", edited(t, "v := c.n.Load()\n	c.n.Store(v + 1)", "value := c.n.Load()\n	c.n.Store(value + 1)"), "stored card " + name + ": exactly replayed"}, // only debug information has the name
		{"lines inserted", "// Words\n// of wisdom.\n\n" + edited(t, "func (c", "\n\n// add adds.\nfunc (c"), ": re-anchored"},
		{"another atomic operation in front", edited(t, "	v := c.n.Load()", "	c.n.Add(0)\n	v := c.n.Load()"), ": re-anchored"},
		{"another mutex in front", edited(t, "	mu sync.Mutex", "	other, mu sync.Mutex"), ": re-anchored"},
		{"another goroutine", edited(t, `t.Go("one", c.add)`, `t.Go("zero", func() { c.mu.Lock(); defer c.mu.Unlock() }); t.Go("one", c.add)`), ": re-anchored"},
		{"another function", edited(t, "add() {", "add() {\n	c.increase()\n}\n\nfunc (c *counter) increase() {"), ": re-anchored"},
		{"another test", counter + "\nfunc TestOther(t *testing.T) {}\n", ": re-anchored"},
		{"fixed by another operation", edited(t, "	v := c.n.Load()\n	c.n.Store(v + 1)", "	c.n.Add(1)"), "stored card " + name + " cannot be followed: first divergence at decision "},
		{"fixed by a lock", edited(t, "	v := c.n.Load()", "	c.mu.Lock()\n	defer c.mu.Unlock()\n	v := c.n.Load()"), "stored cards that no longer fail: 1 of 1"},
	} {
		if testing.Short() && i%3 != 0 && strings.Contains(c.want, "re-anchored") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			u.write("user_test.go", c.program)
			out, err := u.command(launcher, "-test.v")
			if passes := strings.HasPrefix(c.name, "fixed"); passes != (err == nil) || passes == strings.Contains(out, "violated: check") {
				t.Errorf("got %v, want it to pass exactly if the bug is fixed\n%s", err, out)
			}
			if !strings.Contains(out, c.want) || strings.Contains(out, "found by") {
				t.Errorf("got no %q in the output, or an exploration:\n%s", c.want, out)
			}
			if now := u.storedFiles(); len(now) != 1 || now[name] != text {
				t.Errorf("got the files %q, want %s unchanged", now, name)
			}
		})
	}
}

// Files that are not cards, and folders where none can be stored, are reported clearly.
func TestStoredCardsThatAreNone(t *testing.T) {
	u := newUser(t, lostUpdate)
	dir := filepath.Join(u.dir, "testdata", "jacquard", "TestCounter")
	file := func(name, text string) func() {
		return func() {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			u.write(filepath.Join("testdata", "jacquard", "TestCounter", name), text)
		}
	}
	launcher := u.launcher()
	fixed := strings.ReplaceAll(userTest(lostUpdate), "v := n.Load(); n.Store(v + 1)", "n.Add(1)")
	for _, c := range []struct {
		name   string
		set    func()
		test   string
		passes bool
		want   string
	}{
		{"no card", file("check-x", "hello\n"), fixed, false, `stored card testdata/jacquard/TestCounter/check-x: not a card: got "hello"`},
		{"empty", file("check-x", "# nothing\n"), fixed, false, `check-x: not a card: got ""`},
		{"two cards", file("check-x", "jq2-AAAA\njq2-BBBB\n"), fixed, false, `check-x: not a card: got a second line "jq2-BBBB", want one card`},
		{"a folder in the way", func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			u.write(filepath.Join("testdata", "jacquard", "TestCounter"), "")
		}, fixed, false, "explore: stored cards: "},
		{"of another format", func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			file("check-x", "jq1-AAAA\n")()
		}, fixed, true, `check-x cannot be followed: not a card: a card of another format: got "jq1-"`},
		{"hidden", file(".check-x.1.0", "half of a c"), fixed, true, "check-x cannot be followed"},
		{"switched off", func() {}, strings.ReplaceAll(fixed, "explore.Config{}", "explore.Config{Cards: explore.NoCards}"), true, "holds: exhausted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.set()
			u.write("user_test.go", c.test)
			out, err := u.command(launcher, "-test.v")
			if c.passes != (err == nil) || !strings.Contains(out, c.want) {
				t.Errorf("got %v, want %q in\n%s", err, c.want, out)
			}
		})
	}
}

// If nothing can be written, the failure is still reported. Cards in another configured
// place are found there.
func TestStoredCardsElsewhere(t *testing.T) {
	u := newUser(t, lostUpdate)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(u.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	launcher := u.launcher()
	out, err := u.command(launcher)
	if err == nil || !strings.Contains(out, "the card is not stored: ") || !strings.Contains(out, "violated: check") {
		t.Errorf("got %v, want the failure, and that its card is not stored\n%s", err, out)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v behind the symbolic link, want nothing", left, err)
	}
	u.env = append(u.env, "JACQUARD_CARDS="+filepath.Join(outside, "cards"))
	if out, err := u.command(launcher); err == nil || !strings.Contains(out, "card stored in TestCounter/check-") {
		t.Errorf("got %v, want the failure, and its card stored\n%s", err, out)
	}
	if out, err := u.command(launcher); err == nil || !strings.Contains(out, "stored card TestCounter/check-") {
		t.Errorf("got %v, want the failure of the stored card\n%s", err, out)
	}
}
