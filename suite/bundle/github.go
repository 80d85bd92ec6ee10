package bundle

import (
	"fmt"
	"io"
	"strings"
)

// Annotate writes failures as GitHub's workflow commands, which GitHub shows beside the lines of
// the diff; known failures are notices.
func (r *Run) Annotate(out io.Writer) error {
	var b strings.Builder
	for _, p := range r.Packages {
		if p.Trouble != "" {
			fmt.Fprintf(&b, "::error title=%s::%s\n", property.Replace(p.Name), message.Replace(strings.TrimSpace(p.Trouble)))
		}
		for _, t := range p.Tests {
			if !t.Told() {
				continue
			}
			level, what := "error", t.Finding.Kind
			if !t.Failed() {
				level, what = "notice", "known failure"
			}
			title := t.Name
			if what != "" {
				title += " (" + what + ")"
			}
			at := ""
			if t.Place.File != "" {
				at = fmt.Sprintf("file=%s,line=%d,", property.Replace(t.Place.File), t.Place.Line)
			}
			fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", level, at, property.Replace(title), message.Replace(t.inShort()))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// inShort describes a failure in a few lines.
func (t *Test) inShort() string {
	f := t.Finding
	text := f.Message
	if text == "" {
		text = strings.TrimSpace(t.Output)
	}
	if t.Timeline != nil && t.Timeline.Cause != "" {
		text += "\n" + t.Timeline.Cause
	}
	if judged := f.Judged(); judged != "" {
		text += "\n" + judged
	}
	if f.Replay != "" {
		text += "\nreplay: " + f.Replay
	}
	return strings.TrimSpace(text)
}

// The characters that GitHub wants escaped in a message, and in a property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
