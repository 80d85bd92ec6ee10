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

// expected is the suffix that is added to the names of scenarios that are expected to fail: those
// that passed have failed, as expected. JUnit and Cucumber have no other place for it that readers
// show.
const expected = " (expected to fail)"

// prefix begins the names of the formats that add the suffix.
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

// Format returns a list of formats in which junit and cucumber mark the scenarios that are expected
// to fail.
func Format(list string) string {
	formats := strings.Split(list, ",")
	for i, f := range formats {
		if name, _, _ := strings.Cut(f, ":"); name == "junit" || name == "cucumber" {
			formats[i] = prefix + f
		}
	}
	return strings.Join(formats, ",")
}

// naming collects the output of a formatter that does not know which scenarios are expected to fail.
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

// flush writes the collected text, with the suffix after the names that need it.
func (n *naming) flush() {
	text := n.text.String()
	for _, name := range n.names {
		text = strings.ReplaceAll(text, n.quote(name), n.quote(name+expected))
	}
	_, _ = io.WriteString(n.out, text) // Godog's formatters cannot report an error either
}

func xmlQuoted(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer never fails
	return `name="` + b.String() + `"`
}

func jsonQuoted(s string) string {
	b, _ := json.Marshal(s) // marshalling a string never fails
	return `"name": ` + string(b)
}

type junit struct {
	*godog.JUnitFmt
	naming *naming
}

// Pickle records the scenario's name if it is expected to fail.
func (f *junit) Pickle(p *messages.Pickle) {
	f.naming.note(p)
	f.JUnitFmt.Pickle(p)
}

// Summary writes everything.
func (f *junit) Summary() {
	f.JUnitFmt.Summary()
	f.naming.flush()
}

type cucumber struct {
	*godog.CukeFmt
	naming *naming
}

// Pickle records the scenario's name if it is expected to fail.
func (f *cucumber) Pickle(p *messages.Pickle) {
	f.naming.note(p)
	f.CukeFmt.Pickle(p)
}

// Summary writes everything.
func (f *cucumber) Summary() {
	f.CukeFmt.Summary()
	f.naming.flush()
}
