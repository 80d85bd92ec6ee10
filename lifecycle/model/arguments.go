package model

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// argumentName matches valid names of arguments.
var argumentName = regexp.MustCompile(`\A[A-Za-z0-9_-]{1,128}\z`)

// declared returns the arguments of an action by position, and whether the declaration is valid.
func declared(arguments []lifecycle.Argument) ([]lifecycle.Argument, bool) {
	all := slices.Clone(arguments)
	numbered := 0
	names := make(map[string]bool)
	positions := make(map[int]bool)
	for i := range all {
		a := &all[i]
		if a.Position != 0 {
			numbered++
		}
		a.Type = cmp.Or(a.Type, lifecycle.ArgumentString)
		names[a.Name], positions[a.Position] = true, true
		if !declarable(*a) {
			return nil, false
		}
	}
	switch {
	case len(names) < len(all):
		return nil, false
	case numbered == 0:
		for i := range all {
			all[i].Position = i + 1
		}
	case numbered < len(all) || len(positions) < len(all):
		return nil, false
	}
	slices.SortFunc(all, func(a, b lifecycle.Argument) int { return a.Position - b.Position })
	if len(all) == 0 {
		return nil, true
	}
	return all, true
}

// declarable reports whether an argument is valid by itself.
func declarable(a lifecycle.Argument) bool {
	switch {
	case !argumentName.MatchString(a.Name) || a.Position < 0 || !allStorable(a.Description, a.Pattern):
		return false
	case !slices.Contains([]lifecycle.ArgumentType{"string", "integer", "float", "boolean"}, a.Type):
		return false
	case a.Type == "boolean" && (a.Min != nil || a.Max != nil):
		return false
	case a.Min != nil && a.Max != nil && *a.Min > *a.Max:
		return false
	}
	for _, bound := range []*float64{a.Min, a.Max} {
		if bound != nil && (math.IsNaN(*bound) || math.IsInf(*bound, 0)) {
			return false
		}
	}
	if _, err := regexp.Compile(a.Pattern); err != nil {
		return false
	}
	return a.Default == "" || isValue(a, a.Default)
}

// isValue reports whether text is a value of the argument.
func isValue(a lifecycle.Argument, text string) bool {
	if !storable(text) {
		return false
	}
	size, ok := float64(utf8.RuneCountInString(text)), true
	switch a.Type {
	case lifecycle.ArgumentInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		size, ok = float64(n), err == nil
	case lifecycle.ArgumentFloat:
		f, err := strconv.ParseFloat(text, 64)
		size, ok = f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	case lifecycle.ArgumentBoolean:
		ok = text == "true" || text == "false"
	}
	if !ok || a.Min != nil && size < *a.Min || a.Max != nil && size > *a.Max {
		return false
	}
	return a.Pattern == "" || matchesWhole(a.Pattern, text)
}

// matchesWhole reports whether a pattern matches all of a text: whether its longest match at the start is the text. Flags
// in a pattern do not change that.
func matchesWhole(pattern, text string) bool {
	p := regexp.MustCompile(pattern)
	p.Longest()
	at := p.FindStringIndex(text)
	return at != nil && at[0] == 0 && at[1] == len(text)
}

// given returns the values of a use's arguments, defaults included, and whether they are valid.
func given(arguments []lifecycle.Argument, values map[string]string) (map[string]string, bool) {
	all := make(map[string]string)
	known := 0
	for _, a := range arguments {
		value, ok := values[a.Name]
		switch {
		case ok:
			known++
			all[a.Name] = value
			if !isValue(a, value) {
				return nil, false
			}
		case a.Default != "":
			all[a.Name] = strings.Clone(a.Default)
		case a.Required:
			return nil, false
		}
	}
	if known < len(values) {
		return nil, false // a value for an argument that was never declared
	}
	if len(all) == 0 {
		return nil, true
	}
	return all, true
}
