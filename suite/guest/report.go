package guest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// report formats a failure as text. It follows the test's own output and leaves out what that says
// already, except in a replay.
func (it *item) report(r *verdict.Result, concurrent bool) string {
	f := r.Failure
	shown := *f.Timeline
	shown.Title = ""
	options := timeline.Options{Width: it.request.Width, Color: it.request.Color, Verbose: it.request.Verbose}
	if it.request.Mode == protocol.Discover || it.request.Mode == protocol.Explore {
		if f.Of == engine.KindCheck && it.said(f.Messages) {
			shown.Verdict, shown.Details = "", nil
		}
		told := concurrent || stuck(string(f.Kind)) // otherwise go test fails in the same way
		options.NoSteps = !told || f.Plain && !slices.ContainsFunc(shown.Steps, decides)
		switch {
		case !concurrent:
			shown.Footer = nil
		case f.Plain && options.NoSteps:
			shown.Footer = []string{it.alsoPlainly(r)}
		case f.Plain:
			shown.Footer = []string{shown.Footer[0], it.alsoPlainly(r)}
		}
		if concurrent && f.Card == "" {
			shown.Footer = append(shown.Footer, "it was seen once; the same schedule does not lead to it again")
		}
		if options.NoSteps {
			shown.Cause = "" // the cause is about steps
		}
		if !told || (options.NoSteps || !concurrent) && f.Blame.Of == timeline.Undecided {
			shown.Blame = "" // go test reports no more either
		}
	}
	var text strings.Builder
	if shown.Verdict == "" && !options.NoSteps {
		text.WriteByte('\n') // between the test's output and the table
	}
	if err := timeline.Text(&text, &shown, options); err != nil {
		giveUp(err)
	}
	return text.String()
}

// said reports whether the test itself has printed all these messages. The verdict line says that
// it failed, and package testing prints the output of an example.
func (it *item) said(messages []string) bool {
	printed := it.out.text()
	if strings.HasPrefix(it.name, "Example") && strings.Contains(printed, "--- FAIL: "+it.name+" ") {
		return true
	}
	return !slices.ContainsFunc(messages, func(m string) bool {
		first, _, _ := strings.Cut(m, "\n")
		return m != it.failure() && !strings.Contains(printed, first)
	})
}

// decides reports whether a step is one whose order makes the test fail.
func decides(s timeline.Step) bool { return s.Mark.Has(timeline.Conflict) }

// data returns a failure as JSON, if requested.
func (it *item) data(t *timeline.Timeline) json.RawMessage {
	if !it.request.Timeline {
		return nil
	}
	text, err := json.Marshal(t)
	if err != nil {
		giveUp(err)
	}
	return text
}

// page returns a failure as a page, if requested.
func (it *item) page(t *timeline.Timeline) string {
	if !it.request.HTML {
		return ""
	}
	var page strings.Builder
	if err := timeline.HTML(&page, t); err != nil {
		giveUp(err)
	}
	return page.String()
}
