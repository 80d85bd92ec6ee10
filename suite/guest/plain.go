package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// surveySteps is how long an execution may be in a survey, in steps.
const surveySteps = 300_000

// unfinished reports whether an item has not come to its end in a survey.
func (it *item) unfinished(e protocol.Event) bool {
	return e.Verdict == explore.Unknown.String() && it.request.Mode == protocol.Survey && it.ends == 0
}

// doubtful reports whether an item has failed in a survey though there was nothing
// to choose: no schedule made it fail. It may be that it depends on what is
// different under control, such as the functions that have called it.
func (it *item) doubtful(e protocol.Event) bool {
	if e.Verdict != explore.Violated.String() || it.request.Mode != protocol.Survey {
		return false
	}
	return strings.Contains(e.Message, noBubbles) ||
		!e.Concurrent && e.Kind != string(explore.KindDeadlock) && e.Kind != string(explore.KindLeak)
}

// noBubbles is what the runtime says to those who enter a bubble of
// testing/synctest: such tests run without control.
const noBubbles = "testing/synctest cannot be used inside an explored body"

// decided runs an item that is unfinished once more, without control and in a
// process of its own, for what go test says of it.
func (it *item) decided(e protocol.Event) (event protocol.Event, output string) {
	cmd, err := it.process(it.ctx)
	if err != nil {
		giveUp(err)
	}
	cmd.Env = without(cmd.Env, "GOMAXPROCS")
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		giveUp(err)
	}
	output = strings.TrimSuffix(strings.TrimSuffix(string(text), "PASS\n"), "FAIL\n")
	e.Concurrent = false // there is no exploring it
	e.Outside = append(e.Outside, "all of it, after "+e.Reason+e.Message)
	if err == nil {
		e.Verdict, e.Reason = explore.Unknown.String(), "it went well without control, and not under it: "+e.Reason+e.Message
		e.Summary, e.Kind, e.Message, e.Report = e.Reason, "", "", ""
	} else {
		e.Verdict, e.Kind, e.Message, e.Report = explore.Violated.String(), string(explore.KindCheck), it.name+" failed without control", output
	}
	return e, output
}

// process is a new process of this program, for this item alone. It is an ordinary
// test unless told otherwise.
func (it *item) process(ctx context.Context) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to start this program again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, it.flags()...)
	cmd.Dir = it.place.dir
	cmd.Env = it.place.env[:len(it.place.env):len(it.place.env)]
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
