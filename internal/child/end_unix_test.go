//go:build unix

package child_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

func init() { roles["family"], roles["stubborn"], roles["byName"] = family, stubborn, byName }

// byName uses pipes that it finds by their paths, and ends in the middle of a message.
func byName() {
	from, err := os.Open(os.Getenv("FROM"))
	if err != nil {
		fail(err)
	}
	to, err := os.OpenFile(os.Getenv("TO"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		fail(err)
	}
	echo(child.Lines(from, to))
	_, _ = to.WriteString(`{"Number":`) // fails if the parent misses it
}

// Named pipes may be opened at any time, and end with the child.
func TestNamedPipes(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	cmd := command("byName")
	cmd.Env = append(cmd.Env, "FROM="+to, "TO="+from)
	p, err := child.Start(t.Context(), cmd, child.Options{Wire: child.Lines, From: from, To: to, Output: true})
	if err != nil {
		t.Fatal(err)
	}
	var n note
	if err := errors.Join(p.Send(note{Number: 1}), p.Receive(&n)); err != nil || n.Number != 2 {
		t.Errorf("got %+v and %v, want an echo", n, err)
	}
	p.HangUp()
	if err := p.Receive(&n); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want %v", err, io.ErrUnexpectedEOF)
	}
	if e := p.Close(); !e.OK() {
		t.Errorf("got %v and %q", e, e.Words)
	}
	if _, err := child.Start(t.Context(), command("mute"), child.Options{Wire: child.Lines, From: dir + "/none/from"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want %v", err, os.ErrNotExist)
	}
}

// heir is the descriptor that all processes of a family hold.
const heir = 3

// family starts two grandchildren that inherit its descriptor: one in its process
// group, and one outside of it, which also holds its standard files.
func family() {
	syscall.CloseOnExec(heir)
	for _, leaves := range []bool{false, true} {
		cmd := command("mute")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: leaves}
		if leaves {
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		} else {
			cmd.ExtraFiles = []*os.File{os.NewFile(heir, "heir")}
		}
		if err := cmd.Start(); err != nil {
			fail(err)
		}
		fmt.Printf("{\"Number\":%d}\n", cmd.Process.Pid)
	}
	fmt.Fprintln(os.Stderr, "last words")
}

// stubborn ignores a request to end.
func stubborn() {
	signal.Ignore(syscall.SIGTERM)
	fmt.Println(`{"Number":1}`)
	time.Sleep(time.Hour)
}

// held returns a command with a descriptor, and a pipe that is at its end when no
// process holds the descriptor.
func held(t *testing.T, role string) (cmd *exec.Cmd, log *os.File) {
	t.Helper()
	log, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = theirs.Close(), log.Close() })
	if err := log.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	cmd = command(role)
	cmd.ExtraFiles = []*os.File{theirs}
	return cmd, log
}

// The processes that a child has started end with it. One that has left its group does
// not keep the parent waiting for ever.
func TestGrandchildren(t *testing.T) {
	cmd, log := held(t, "family")
	p, err := child.Start(t.Context(), cmd, child.Options{Wire: child.Lines})
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.ExtraFiles[0].Close() // now only the family holds it
	var in, out note
	if err := errors.Join(p.Receive(&in), p.Receive(&out)); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(out.Number, syscall.SIGKILL)
	if _, err := log.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("got %v, want %v: a grandchild is alive", err, io.EOF)
	}
	if err := p.Receive(&out); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want %v, whoever holds the pipe", err, io.EOF)
	}
	if e := p.Close(); !e.OK() || e.Words != "last words\n" {
		t.Errorf("got %v and %q, want what it wrote last", e, e.Words)
	}
}

// A child that ignores a signal, or the end of its messages, is killed.
func TestStubborn(t *testing.T) {
	for _, end := range []func(p *child.Process){
		func(p *child.Process) { p.End(errors.New("weft")); <-p.Done() },
		func(p *child.Process) {},
	} {
		p := start(t, "stubborn", child.Options{
			Wire:  child.Lines,
			Ask:   func(error) os.Signal { return syscall.SIGTERM },
			Grace: 20 * time.Millisecond,
		})
		if err := p.Receive(new(note)); err != nil {
			t.Fatal(err)
		}
		end(p)
		if e := p.Close(); e.String() != "signal: killed" {
			t.Errorf("got %v, want it killed", e)
		}
	}
}

// A stopped child is silent, too.
func TestStopped(t *testing.T) {
	p := start(t, "stubborn", child.Options{Wire: child.Lines})
	if err := p.Receive(new(note)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.Bound(20 * time.Millisecond)
	if err := p.Receive(new(note)); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want %v", err, io.EOF)
	}
	if e := p.Close(); e.Cause != child.Silent(20*time.Millisecond) || e.String() != "signal: killed" {
		t.Errorf("got %v and cause %v", e, e.Cause)
	}
}
