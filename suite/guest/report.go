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

// report is a failure as text. It stands below what the test itself has printed,
// and leaves out what that says already. Only a replay stands for itself.
func (it *item) report(f *verdict.Failure, concurrent bool) string {
	shown := *f.Timeline
	shown.Title = ""
	options := timeline.Options{Width: it.request.Width, Color: it.request.Color, Verbose: it.request.Verbose}
	if it.request.Mode == protocol.Discover || it.request.Mode == protocol.Explore {
		if f.Of == engine.KindCheck && it.said(f.Messages) {
			shown.Verdict, shown.Details = "", nil
		}
		options.NoSteps = !concurrent || f.Plain && !slices.ContainsFunc(shown.Steps, decides)
		switch {
		case !concurrent:
			shown.Footer = nil
		case f.Plain && options.NoSteps:
			shown.Footer = []string{it.alsoPlainly(f.Kind)}
		case f.Plain:
			shown.Footer = []string{shown.Footer[0], it.alsoPlainly(f.Kind)}
		}
		if concurrent && f.Card == "" {
			shown.Footer = append(shown.Footer, "it was seen once; the same schedule does not lead to it again")
		}
		if options.NoSteps {
			shown.Cause = "" // it is about steps
		}
		if !concurrent || options.NoSteps && f.Blame.Of == timeline.Undecided {
			shown.Blame = "" // go test tells no more either
		}
	}
	var text strings.Builder
	if shown.Verdict == "" && !options.NoSteps {
		text.WriteByte('\n') // between what the test has printed and the table
	}
	if err := timeline.Text(&text, &shown, options); err != nil {
		giveUp(err)
	}
	return text.String()
}

// said reports whether the test has printed all of some messages itself. That it has
// failed is said by its verdict, and of an example package testing says what it has printed.
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

// decides reports whether a step is one of those whose order makes the test fail.
func decides(s timeline.Step) bool { return s.Mark.Has(timeline.Conflict) }

// data is a failure as data, if that was asked for.
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

// page is a failure as a page, if that was asked for.
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
