package lifecycle_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// ordinaryEnv makes the test binary give up root's rights, which override
// permissions.
const ordinaryEnv = "JACQUARD_LIFECYCLE_ORDINARY"

func init() {
	const nobody = 65534
	if os.Getenv(ordinaryEnv) == "" {
		return
	}
	if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
		panic(err)
	}
}

// ordinarily makes an ordinary user run root's test, and reports whether this
// process is that user's.
func ordinarily(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), ordinaryEnv+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// A read-only file can be read, and writing returns an error.
func TestSQLiteReadOnlyFile(t *testing.T) {
	if !ordinarily(t) {
		return
	}
	ctx := context.Background()
	url := storetest.FileURL(t)
	first, err := lifecycle.Open(ctx, lifecycle.Config{URL: url})
	check(t, err)
	populated(t, first)
	check(t, first.Close())

	check(t, os.Chmod(pathOf(url), 0o400))
	s := open(t, lifecycle.Config{URL: url})
	before := state(t, s)
	plans, err := s.ListPlans(ctx)
	check(t, err)
	p := plans[0]
	for name, call := range greatCalls(s, p) {
		failsAs(t, name, url, call(ctx), lifecycle.ErrReadOnly)
	}
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant it unchanged: %s", after, before)
	}
	for _, name := range beside(url) { // SQLite gives all three files the same permissions
		check(t, os.Chmod(name, 0o600))
	}
	for name, call := range greatCalls(s, p) {
		if err := call(ctx); err != nil {
			t.Errorf("%s: got %v, want it done now", name, err)
		}
	}
}

// It is an error if a new file may not be created or an old one may not be
// opened. Neither error is remembered.
func TestSQLitePermissions(t *testing.T) {
	if !ordinarily(t) {
		return
	}
	ctx := context.Background()
	url := storetest.FileURL(t)
	dir := filepath.Dir(pathOf(url))
	engines := storetest.Engines(t)
	check(t, os.Chmod(dir, 0o500))
	_, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "make a file", url, err, lifecycle.ErrUnavailable)
	check(t, os.Chmod(dir, 0o700))

	s := open(t, lifecycle.Config{URL: url, Engines: engines})
	populated(t, s)
	before := state(t, s)
	check(t, engines.Close())

	engines = storetest.Engines(t)
	check(t, os.Chmod(pathOf(url), 0))
	_, err = lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "open a file", url, err, lifecycle.ErrUnavailable)
	check(t, os.Chmod(pathOf(url), 0o600))

	check(t, os.Chmod(dir, 0o500))
	_, err = lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "open a file in a read-only folder", url, err, lifecycle.ErrReadOnly)
	check(t, os.Chmod(dir, 0))
	_, err = lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	failsAs(t, "open a file in a locked folder", url, err, lifecycle.ErrUnavailable)
	check(t, os.Chmod(dir, 0o700))

	s = open(t, lifecycle.Config{URL: url, Engines: engines})
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant %s", after, before)
	}
	newPlan(t, s)
}

// If the folder of a database in use is locked, the database stops working until
// the folder is unlocked.
func TestSQLiteFolderLockedMeanwhile(t *testing.T) {
	if !ordinarily(t) {
		return
	}
	url := storetest.FileURL(t)
	dir := filepath.Dir(pathOf(url))
	s := open(t, lifecycle.Config{URL: url})
	p, changeset := populated(t, s)
	before := state(t, s)
	check(t, os.Chmod(dir, 0))
	everyCallFails(t, s, p, changeset, url, lifecycle.ErrUnavailable)
	check(t, os.Chmod(dir, 0o700))
	if after := state(t, s); after != before {
		t.Errorf("got %s\nwant it unchanged: %s", after, before)
	}
	newPlan(t, s)
}
