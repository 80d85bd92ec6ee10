//go:build unix

package explore_test

import (
	"errors"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// pauses stops its parent process repeatedly, each time for longer than a step may take,
// and lets it run briefly in between.
const pauses = "sleep 0.1; for i in 1 2 3; do kill -STOP $PPID; sleep 1.2; kill -CONT $PPID; sleep 0.02; done"

// If the machine stops the process, no goroutine counts as running or waiting for too long.
func TestPauses(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name  string
		pause func(*exec.Cmd) error
	}{{"in a wait", reading}, {"in a step", inOneStep}} {
		t.Run(c.name, func(t *testing.T) {
			cfg := explore.Config{
				Name: t.Name(), Watchdog: time.Second,
				Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}},
			}
			paused := false
			r := run(t, cfg, func(t *explore.T) {
				programs.Touch(t)
				if paused {
					return
				}
				paused = true
				if err := c.pause(exec.Command("sh", "-c", pauses)); err != nil {
					t.Error(err)
				}
			})
			if r.Lost || strings.Contains(r.Reason, "1s") || r.Verdict == explore.Violated || !paused {
				t.Errorf("got %v (%s), want no effect of the pauses", r.Verdict, r.Summary())
			}
		})
	}
}

// inOneStep runs a command and waits for it in a system call.
func inOneStep(cmd *exec.Cmd) error { return errors.Join(cmd.Start(), ended(cmd)) }

// reading runs a command and waits for its output.
func reading(cmd *exec.Cmd) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	err = cmd.Start()
	_, rerr := io.ReadAll(out)
	return errors.Join(err, rerr, out.Close(), ended(cmd))
}

// ended waits in a system call until a command ends.
func ended(cmd *exec.Cmd) error {
	var status syscall.WaitStatus
	_, err := syscall.Wait4(cmd.Process.Pid, &status, 0, nil)
	if err == nil && status.ExitStatus() != 0 {
		err = errors.New("the command failed")
	}
	return errors.Join(err, cmd.Process.Release())
}
