// Package output reads what a test binary writes, and writes it as go test does.
package output

import (
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A Section is a part of what a test binary writes: of one test, or of none.
type Section struct {
	Test string
	Text string
}

// Marker is what -test.v=test2json puts before lines of package testing.
const Marker = "\x16"

// NamesNone is what package testing says where nothing runs, after a test and after
// an example. It is for those who read markers.
var NamesNone = regexp.MustCompile(Marker + "=== NAME   ?\n")

// Ended is package testing's last word, and bounds what lies between sections.
var (
	Ended  = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n`)
	bounds = regexp.MustCompile(strings.Replace(regexp.QuoteMeta(protocol.Boundary("NAME")), "NAME", `(\S*)`, 1))
)

// Split divides what a test binary wrote into sections. Package testing's last
// word, PASS or FAIL, is left out.
func Split(text string) []Section {
	var all []Section
	add := func(test, text string) {
		if text != "" || test != "" {
			all = append(all, Section{test, text})
		}
	}
	test, from := "", 0
	for _, m := range bounds.FindAllStringSubmatchIndex(text, -1) {
		add(test, text[from:m[0]])
		test, from = text[m[2]:m[3]], m[1]
	}
	rest := text[from:]
	if at := Ended.FindAllStringIndex(rest, -1); test == "" && at != nil {
		last := at[len(at)-1]
		rest = rest[:last[0]] + rest[last[1]:]
	}
	add(test, rest)
	return all
}

// VerdictLine finds the line of a top-level test's verdict. What the test has
// written just before it may lack the end of its line.
func VerdictLine(name, text string) (at []int) {
	const verdict = `--- (PASS|FAIL|SKIP): `
	for _, before := range []string{`(?m)^\x16?`, `(?m)\x16?`} {
		line := regexp.MustCompile(before + verdict + regexp.QuoteMeta(name) + ` \(\d+\.\d\ds\)$`)
		if at = line.FindStringSubmatchIndex(text); at != nil {
			break
		}
	}
	return at
}

// Unfailed is what a test has written in a discovery run, without the verdicts that do not
// count: on it and on its subtests if it has failed there, and on subtests that have failed if
// there is none on it, for it was cut off. These are named.
func Unfailed(name, text string) (rest string, failed bool, subtests []string) {
	at := VerdictLine(name, text)
	if failed = at != nil && text[at[2]:at[3]] == "FAIL"; at != nil && !failed {
		return text, false, nil
	}
	lines := regexp.MustCompile(`(?m)^ *\x16? *--- FAIL: (` + regexp.QuoteMeta(name) + `(?:/.*)?) \(\d+\.\d\ds\)\n?`)
	for _, m := range lines.FindAllStringSubmatch(text, -1) {
		if m[1] != name {
			subtests = append(subtests, m[1])
		}
	}
	return lines.ReplaceAllString(text, ""), failed, subtests
}

// Margin is by how many columns [Indent] moves a text.
const Margin = 4

// Indent moves a text to the right, as package testing does with what belongs to
// a test.
func Indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", Margin))
		}
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.String()
}
