package tdd

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"
)

// expected is what the names of scenarios end with that are expected to fail:
// those that passed have failed, as expected. JUnit and Cucumber have no other
// place for it that readers show.
const expected = " (expected to fail)"

// prefix begins the names of the formats that say so.
const prefix = "tdd-"

func init() {
	godog.Format(prefix+"junit", "junit that tells scenarios that are expected to fail", func(suite string, out io.Writer) godog.Formatter {
		n := &naming{out: out, quote: xmlQuoted}
		return &junit{godog.NewJUnitFmt(suite, n), n}
	})
	godog.Format(prefix+"cucumber", "cucumber that tells scenarios that are expected to fail", func(suite string, out io.Writer) godog.Formatter {
		n := &naming{out: out, quote: jsonQuoted}
		return &cucumber{godog.NewCukeFmt(suite, n), n}
	})
}

// Format is a list of formats in which junit and cucumber tell scenarios that are
// expected to fail from others.
func Format(list string) string {
	formats := strings.Split(list, ",")
	for i, f := range formats {
		if name, _, _ := strings.Cut(f, ":"); name == "junit" || name == "cucumber" {
			formats[i] = prefix + f
		}
	}
	return strings.Join(formats, ",")
}

// naming is where a formatter writes to that knows of no expectation.
type naming struct {
	out   io.Writer
	quote func(string) string
	names []string // of the scenarios that are expected to fail
	text  bytes.Buffer
}

// Write keeps the text.
func (n *naming) Write(p []byte) (int, error) { return n.text.Write(p) }

func (n *naming) note(p *messages.Pickle) {
	if slices.ContainsFunc(p.Tags, func(t *messages.PickleTag) bool { return t.Name == failTag }) {
		n.names = append(n.names, p.Name)
	}
}

// flush writes the text with the names as they are to be.
func (n *naming) flush() {
	text := n.text.String()
	for _, name := range n.names {
		text = strings.ReplaceAll(text, n.quote(name), n.quote(name+expected))
	}
	_, _ = io.WriteString(n.out, text) // Godog's formatters have nobody to tell either
}

func xmlQuoted(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return `name="` + b.String() + `"`
}

func jsonQuoted(s string) string {
	b, _ := json.Marshal(s) // a string can be
	return `"name": ` + string(b)
}

type junit struct {
	*godog.JUnitFmt
	naming *naming
}

// Pickle notes what a scenario is expected to do.
func (f *junit) Pickle(p *messages.Pickle) {
	f.naming.note(p)
	f.JUnitFmt.Pickle(p)
}

// Summary writes all.
func (f *junit) Summary() {
	f.JUnitFmt.Summary()
	f.naming.flush()
}

type cucumber struct {
	*godog.CukeFmt
	naming *naming
}

// Pickle notes what a scenario is expected to do.
func (f *cucumber) Pickle(p *messages.Pickle) {
	f.naming.note(p)
	f.CukeFmt.Pickle(p)
}

// Summary writes all.
func (f *cucumber) Summary() {
	f.CukeFmt.Summary()
	f.naming.flush()
}
