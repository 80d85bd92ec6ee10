package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// unfinished reports whether an item has not come to its end in a survey.
func (it *item) unfinished(e protocol.Event) bool {
	return e.Verdict == explore.Unknown.String() && it.request.Mode == protocol.Survey && it.ends == 0
}

// doubtful reports whether an item has failed for what may be different under
// control only: how much was allocated; or, in a survey, anything at all: such as
// the functions that have called it, where there was nothing to choose and so no
// schedule made it fail; or how long another process took to answer.
func (it *item) doubtful(e protocol.Event) bool {
	if e.Verdict != explore.Violated.String() || it.request.Mode == protocol.Replay {
		return false
	}
	if allocates(e) {
		return true
	}
	if it.request.Mode != protocol.Survey {
		return false
	}
	return (!e.Concurrent || e.Depends) && !stuck(e.Kind)
}

// stuck reports whether a failure is that somebody waits for ever. Go test would wait
// as long.
func stuck(kind string) bool {
	return kind == string(explore.KindDeadlock) || kind == string(explore.KindLeak)
}

// allocates reports whether an item looks at how much is allocated.
func allocates(e protocol.Event) bool { return slices.Contains(e.Outside, explore.MemoryStatistics) }

// decided is an item that is unfinished, as it ends without control.
func (it *item) decided(e protocol.Event) (event protocol.Event, output string) {
	ok, output := it.plainly()
	return it.uncontrolled(e, ok), output
}

// settled is an item that is doubtful. If it fails without control too, what go
// test prints of a panic says it all.
func (it *item) settled(e protocol.Event, output string) (event protocol.Event, text string) {
	ok, text := it.plainly()
	switch {
	case ok:
		event = it.uncontrolled(e, ok)
		event.Concurrent = e.Concurrent && allocates(e) // a recorded execution does so more than others
		return event, text
	case e.Concurrent || e.Kind == string(explore.KindCheck):
		return e, output
	case e.Kind == string(explore.KindPanic), e.Kind == string(explore.KindFatal):
		e.Report = ""
	}
	return e, text
}

// uncontrolled is an item of which is known only how it ended without control.
func (it *item) uncontrolled(e protocol.Event, ok bool) protocol.Event {
	why := e.Reason + e.Message
	e.Concurrent = false // there is no exploring it
	e.Outside = append(e.Outside, "all of it")
	if !ok {
		return it.failedPlainly(e)
	}
	e.Verdict, e.Reason = explore.Unknown.String(), "it went well without control, and not under it: "+why
	e.Summary, e.Kind, e.Message, e.Report = e.Reason, "", "", ""
	return e
}

// ownWay runs an item that explores by itself, in a process of its own, for it
// cannot do so within an execution.
func (it *item) ownWay(e protocol.Event) (event protocol.Event, output string) {
	event = protocol.Event{Test: it.name, Own: true, Schedules: 1, Distinct: 1, Verdict: explore.Unknown.String(), Spoilt: e.Spoilt}
	if it.request.Mode == protocol.Replay {
		event.Reason = "it explores by itself: see explore.Test for how its cards are replayed"
		return event, it.first
	}
	ok, output := it.plainly()
	if !ok {
		return it.failedPlainly(event), output
	}
	event.Verdict, event.Summary = explore.Holds.String(), "it explores by itself"
	return event, output
}

// failedPlainly is an event of an item that has failed without control: what it has
// written says why.
func (it *item) failedPlainly(e protocol.Event) protocol.Event {
	e.Verdict, e.Kind, e.Message, e.Report = explore.Violated.String(), string(explore.KindCheck), it.name+" failed without control", ""
	return e
}

// lastWord is what package testing says when all tests have been run.
var lastWord = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n\z`)

// How long an item may take without control if the request names no end, how long
// it may take at least, and how long its process then has for the stacks of its
// goroutines.
const (
	plainTime = 2 * time.Minute
	leastTime = 2 * time.Second
	lastTime  = 5 * time.Second
)

// plainly runs an item as go test does, in a process of its own. It has failed if
// it comes to no end. It may want what tests have in this process who never run
// again: listen at an address, or call there, or lock a file.
func (it *item) plainly() (ok bool, text string) {
	hungUp, err := letGo(it.place.opened)
	if err != nil {
		giveUp(err)
	}
	it.hungUp = hungUp
	most := it.share()
	ctx, cancel := context.WithTimeout(it.ctx, most)
	defer cancel()
	cmd, err := it.process(ctx)
	if err != nil {
		giveUp(err)
	}
	cmd.Env = without(cmd.Env, "GOMAXPROCS")
	defer tie(cmd)()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = lastTime
	written, err := scratch()
	if err != nil {
		giveUp(err)
	}
	defer written.Close()
	cmd.Stdout, cmd.Stderr = written, written
	err = cmd.Run()
	text = lastWord.ReplaceAllString((&output{file: written}).text(), "")
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, fmt.Sprintf("%s\n%s came to no end within %v without control, which was half of the time left\n", strings.TrimSuffix(text, "\n"), it.name, most)
	case err != nil && !errors.As(err, &exit):
		giveUp(err)
	}
	return err == nil, text
}

// share is how long the item may take without control: half of the time that is
// left, so that those after it have some, whatever becomes of it.
func (it *item) share() time.Duration {
	if it.request.End.IsZero() {
		return plainTime
	}
	return max(time.Until(it.request.End)/2, leastTime).Round(time.Millisecond)
}

// process is a new process of this program, for this item alone. It is an ordinary
// test unless told otherwise.
func (it *item) process(ctx context.Context) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to start this program again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, it.flags()...)
	cmd.Dir = it.origin.dir // its TestMain does again what this one's has done
	cmd.Env = it.origin.env[:len(it.origin.env):len(it.origin.env)]
	return cmd, nil
}

// without is an environment without a variable.
func without(env []string, name string) (rest []string) {
	for _, entry := range env {
		if !strings.HasPrefix(entry, name+"=") {
			rest = append(rest, entry)
		}
	}
	return rest
}
