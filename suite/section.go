package suite

import (
	"regexp"
	"strings"
)

// A section is a part of what a test binary writes: of one test, or of none.
type section struct {
	test string
	text string
}

// marker is what -test.v=test2json puts before lines of package testing.
const marker = "\x16"

// The lines at which the sections of top-level tests begin, where all tests are
// told of and where only failures are.
var (
	begun  = regexp.MustCompile(`(?m)\x16=== RUN   ([^/\s]+)$`)
	failed = regexp.MustCompile(`(?m)^--- FAIL: ([^/\s]+) \(.*\)\n(?:    .*\n)*`)
	ended  = regexp.MustCompile(`(?m)^\x16?(?:PASS|FAIL)\n`)
)

// split divides what a test binary wrote into sections. Package testing's last
// word, PASS or FAIL, is left out.
func split(text string, told bool) []section {
	var all []section
	stray := func(text string) {
		if text != "" {
			all = append(all, section{"", text})
		}
	}
	var rest string
	if at := ended.FindAllStringIndex(text, -1); at != nil {
		last := at[len(at)-1]
		text, rest = text[:last[0]], text[last[1]:]
	}
	from := 0
	if told {
		at := begun.FindAllStringSubmatchIndex(text, -1)
		for i, m := range at {
			stray(text[from:m[0]])
			from = len(text)
			if i+1 < len(at) {
				from = at[i+1][0]
			}
			all = append(all, section{text[m[2]:m[3]], text[m[0]:from]})
		}
	} else {
		for _, m := range failed.FindAllStringSubmatchIndex(text, -1) {
			stray(text[from:m[0]])
			from = m[1]
			all = append(all, section{text[m[2]:m[3]], text[m[0]:m[1]]})
		}
	}
	stray(text[from:])
	stray(rest)
	return all
}

// verdictLine is the line of a top-level test's verdict.
func verdictLine(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\x16?--- (PASS|FAIL|SKIP): ` + regexp.QuoteMeta(name) + ` \(.*\)$`)
}

// indent moves a text to the right, as package testing does with what belongs to
// a test.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.String()
}
