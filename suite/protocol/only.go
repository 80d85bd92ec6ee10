package protocol

import (
	"regexp"
	"slices"
	"strings"
)

// Only returns a pattern for the flag -test.run that matches one top-level test and those of its
// subtests that the pattern run selects.
func Only(run, test string) string {
	name := "^" + regexp.QuoteMeta(test) + "$"
	var all []string
	for _, path := range parts(run, '|') {
		top := parts(path, '/')
		if chosen, err := regexp.MatchString(top[0], test); err != nil || !chosen {
			continue
		}
		if len(top) == 1 { // all subtests
			all = append(all, name)
			break
		}
		all = append(all, strings.Join(slices.Concat([]string{name}, top[1:]), "/"))
	}
	if len(all) == 0 {
		return name
	}
	return strings.Join(all, "|")
}

// parts splits a pattern at separators. Like package testing, it ignores separators within brackets
// and parentheses, and after a backslash.
func parts(pattern string, separator byte) (all []string) {
	from, brackets, parentheses := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(brackets-1, 0)
		case brackets > 0:
		case c == '(':
			parentheses++
		case c == ')':
			parentheses--
		case c == separator && parentheses == 0:
			all = append(all, pattern[from:i])
			from = i + 1
		}
	}
	return append(all, pattern[from:])
}
