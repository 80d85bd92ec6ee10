// Package output parses what a test binary writes, and formats it as go test does.
package output

import (
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A Section is a part of a test binary's output: of one test, or of none.
type Section struct {
	Test string
	Text string
}

// Marker is what -test.v=test2json puts before lines of package testing.
const Marker = "\x16"

// NamesNone matches package testing's line for output that belongs to no test. Only readers of
// markers need it.
var NamesNone = regexp.MustCompile(Marker + "=== NAME   ?\n")

// Ended matches package testing's last line, and bounds the boundaries between sections.
var (
	Ended  = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n`)
	bounds = regexp.MustCompile(strings.Replace(regexp.QuoteMeta(protocol.Boundary("NAME")), "NAME", `(\S*)`, 1))
)

// Split splits a test binary's output into sections. It leaves out package testing's last line,
// PASS or FAIL.
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

// VerdictLine finds the verdict line of a top-level test. The output just before it may lack a
// newline.
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

// Unfailed returns a test's output of a discovery run without verdicts that do not count: if the
// test has failed there, those on it and its subtests; if it has no verdict, because it was cut
// off, those on failed subtests, whose names it returns.
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

// Margin is how many columns [Indent] indents a text.
const Margin = 4

// Indent indents a text, as package testing does with the output of a test.
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
