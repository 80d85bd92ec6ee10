package child_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
)

func init() {
	// A parent has a child that holds the descriptor and never ends.
	roles["parent"] = func() {
		cmd := command("stubborn")
		cmd.ExtraFiles = []*os.File{os.NewFile(heir, "heir")}
		p, err := child.Start(context.Background(), cmd, child.Options{Wire: child.Lines})
		if err != nil {
			fail(err)
		}
		if err := p.Receive(new(note)); err != nil {
			fail(err)
		}
		_, _ = os.Stdout.WriteString("{\"Number\":1}\n") // a broken pipe ends this process
		time.Sleep(time.Hour)
	}
}

// A child dies with its parent, however the parent dies.
func TestParentKilled(t *testing.T) {
	cmd, log := held(t, "parent")
	p, err := child.Start(t.Context(), cmd, child.Options{Wire: child.Lines, Kin: true, Heir: true})
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.ExtraFiles[0].Close() // now only the two hold it
	if err := p.Receive(new(note)); err != nil {
		t.Fatal(err)
	}
	if !p.Kill() {
		t.Error("got no process to kill")
	}
	p.Close()
	if _, err := log.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("got %v, want %v: the child is alive", err, io.EOF)
	}
}

// Neither a failed start nor an ended process leaves a descriptor open.
func TestDescriptors(t *testing.T) {
	open := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	run := func() {
		for _, o := range []child.Options{{}, {Wire: child.Lines}, {Wire: child.Gob, Beside: true}} {
			if p, err := child.Start(t.Context(), command("cut"), o); err != nil {
				t.Error(err)
			} else {
				p.Close()
			}
			if _, err := child.Start(t.Context(), exec.Command("./none"), o); err == nil {
				t.Error("got a process, want none")
			}
		}
	}
	run() // opens descriptors that a process opens only once
	before := open()
	run()
	if after := open(); after != before {
		t.Errorf("got %d descriptors, want %d", after, before)
	}
}
