package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// confirmTime is how long a failure may take to happen again, start of the
// process and TestMain included.
const confirmTime = 90 * time.Second

// confirmed returns a failure if it happens again, by its card, in a process of
// its own. If not, it was not the schedule that made the test fail but what
// earlier schedules have left behind, and nothing is known.
func (it *item) confirmed(e protocol.Event) protocol.Event {
	if e.Verdict != explore.Violated.String() || it.request.Mode != protocol.Explore {
		return e
	}
	again, err := it.again(e.Card)
	if err == nil && again.Verdict == e.Verdict && again.Kind == e.Kind {
		return e
	}
	why := again.Reason
	switch {
	case err != nil:
		why = err.Error()
	case again.Kind != "":
		why = again.Message
	}
	reason := fmt.Sprintf("%s, but not by the same schedule in a process of its own, as if earlier schedules had left something behind: %s", e.Message, why)
	return protocol.Event{
		Test: e.Test, Verdict: explore.Unknown.String(), Reason: reason, Summary: reason, Concurrent: e.Concurrent,
		Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points, Outside: e.Outside, Leaked: e.Leaked,
	}
}

// again follows a card in a new process of this program.
func (it *item) again(card string) (protocol.Event, error) {
	dir, err := os.MkdirTemp(filepath.Dir(it.request.Events), "again-")
	if err != nil {
		return protocol.Event{}, err
	}
	defer os.RemoveAll(dir)
	q := *it.request
	q.Mode, q.Card, q.Turns, q.Bookmark, q.Output = protocol.Replay, card, "", nil, ""
	if q.Temp != "" {
		q.Temp = filepath.Join(filepath.Dir(q.Temp), "2")
	}
	q.Events = filepath.Join(dir, "events")
	ctx, cancel := context.WithTimeout(it.ctx, confirmTime)
	defer cancel()
	cmd, err := it.asked(ctx, q, dir)
	if err != nil {
		return protocol.Event{}, err
	}
	defer tie(cmd)()
	err = cmd.Run()
	e, found := protocol.LastEvent(q.Events)
	switch {
	case found:
		return e, nil
	case ctx.Err() != nil:
		return e, fmt.Errorf("it did not end within %v", confirmTime)
	}
	if err == nil {
		return e, errors.New("it has said nothing")
	}
	return e, fmt.Errorf("it has said nothing: %w", err)
}

// flags are those that this process was started with, for this item alone.
func (it *item) flags() []string {
	const run = "-test.run="
	chosen, rest := "", []string(nil)
	for _, arg := range it.origin.args[1:] {
		if pattern, ok := strings.CutPrefix(arg, run); ok {
			chosen = pattern // the last one counts
		} else {
			rest = append(rest, arg)
		}
	}
	return append([]string{run + protocol.Only(chosen, it.name)}, rest...)
}
