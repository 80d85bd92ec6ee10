package suite

import (
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A section is a part of what a test binary writes: of one test, or of none.
type section struct {
	test string
	text string
}

// marker is what -test.v=test2json puts before lines of package testing.
const marker = "\x16"

// namesNone is what package testing says where nothing runs, after a test and after
// an example. It is for those who read markers.
var namesNone = regexp.MustCompile(marker + "=== NAME   ?\n")

// ended is package testing's last word, and bounds what lies between sections.
var (
	ended  = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n`)
	bounds = regexp.MustCompile(strings.Replace(regexp.QuoteMeta(protocol.Boundary("NAME")), "NAME", `(\S*)`, 1))
)

// split divides what a test binary wrote into sections. Package testing's last
// word, PASS or FAIL, is left out.
func split(text string) []section {
	var all []section
	add := func(test, text string) {
		if text != "" || test != "" {
			all = append(all, section{test, text})
		}
	}
	test, from := "", 0
	for _, m := range bounds.FindAllStringSubmatchIndex(text, -1) {
		add(test, text[from:m[0]])
		test, from = text[m[2]:m[3]], m[1]
	}
	rest := text[from:]
	if at := ended.FindAllStringIndex(rest, -1); test == "" && at != nil {
		last := at[len(at)-1]
		rest = rest[:last[0]] + rest[last[1]:]
	}
	add(test, rest)
	return all
}

// verdictLine finds the line of a top-level test's verdict. What the test has
// written just before it may lack the end of its line.
func verdictLine(name, text string) (at []int) {
	const verdict = `--- (PASS|FAIL|SKIP): `
	for _, before := range []string{`(?m)^\x16?`, `(?m)\x16?`} {
		line := regexp.MustCompile(before + verdict + regexp.QuoteMeta(name) + ` \(\d+\.\d\ds\)$`)
		if at = line.FindStringSubmatchIndex(text); at != nil {
			break
		}
	}
	return at
}

// unfailed is what a test has written in a discovery run, without the verdicts that do not
// count: on it and on its subtests if it has failed there, and on subtests that have failed if
// there is none on it, for it was cut off. These are named.
func unfailed(name, text string) (rest string, failed bool, subtests []string) {
	at := verdictLine(name, text)
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

// indent moves a text to the right, as package testing does with what belongs to
// a test.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.Repeat(" ", margin))
		}
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.String()
}
