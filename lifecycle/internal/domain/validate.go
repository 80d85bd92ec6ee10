package domain

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// NewAction checks a spec and returns the action that it describes. The action shares no memory
// with the spec.
func NewAction(spec ActionSpec) (Action, error) {
	if err := CheckSize("action", spec.size()); err != nil {
		return Action{}, err
	}
	name, err := ParseName(spec.Name)
	if err != nil {
		return Action{}, err
	}
	if err := checkTexts(text{"description", spec.Description}, text{"definition of done", spec.DefinitionOfDone}); err != nil {
		return Action{}, err
	}
	if err := spec.Actors.check(); err != nil {
		return Action{}, err
	}
	arguments, err := checkedArguments(spec.Arguments)
	if err != nil {
		return Action{}, err
	}
	return Action{
		Name: name, Description: spec.Description, DefinitionOfDone: spec.DefinitionOfDone,
		Actors: spec.Actors, Arguments: arguments,
		Reusable: spec.Reusable, ReadOnly: spec.ReadOnly,
		State: ActionAvailable,
	}, nil
}

// check refuses actors without a required one.
func (a Actors) check() error {
	if err := CheckRequired("strategy actor", a.Strategy); err != nil {
		return err
	}
	if err := CheckRequired("execution actor", a.Execution); err != nil {
		return err
	}
	return checkTexts(text{"estimation actor", a.Estimation}, text{"review actor", a.Review},
		text{"apply actor", a.Apply}, text{"invariant actor", a.Invariant})
}

// checkProjects refuses links without a project, and two links to one project.
func checkProjects(links []ProjectLink) error {
	seen := make(map[Name]bool)
	for i, link := range links {
		field := fmt.Sprintf("projects[%d]", i)
		if name, err := ParseName(link.Name.String()); err != nil || name != link.Name {
			return invalid(field, link.Name.String(), "is not a normalised name; use ParseName")
		}
		if seen[link.Name] {
			return invalid(field, link.Name.String(), "is linked twice")
		}
		seen[link.Name] = true
		if err := faults.CheckText(field+".alias", link.Alias); err != nil {
			return err
		}
	}
	return nil
}

// checkedArguments checks the arguments and returns them ordered by position.
func checkedArguments(given []Argument) ([]Argument, error) {
	if len(given) == 0 {
		return nil, nil
	}
	arguments := Clone(Action{Arguments: given}).Arguments
	numbered := slices.ContainsFunc(arguments, func(a Argument) bool { return a.Position != 0 })
	names, positions := make(map[string]bool), make(map[int]bool)
	for i := range arguments {
		a, field := &arguments[i], fmt.Sprintf("arguments[%d]", i)
		if !numbered {
			a.Position = i + 1
		}
		a.Type = cmp.Or(a.Type, ArgumentString)
		if err := a.check(field); err != nil {
			return nil, err
		}
		if names[a.Name] {
			return nil, invalid(field+".name", a.Name, "is declared twice")
		}
		if positions[a.Position] {
			return nil, invalid(field+".position", strconv.Itoa(a.Position), "is taken")
		}
		names[a.Name], positions[a.Position] = true, true
	}
	slices.SortFunc(arguments, func(a, b Argument) int { return cmp.Compare(a.Position, b.Position) })
	return arguments, nil
}

// check refuses a malformed declaration.
func (a Argument) check(field string) error {
	if !isArgumentName(a.Name) {
		return invalid(field+".name", a.Name, "is bad; want letters, digits, hyphens and underscores")
	}
	if !slices.Contains([]ArgumentType{ArgumentString, ArgumentInteger, ArgumentFloat, ArgumentBoolean}, a.Type) {
		return invalid(field+".type", string(a.Type), "is unknown; want string, integer, float or boolean")
	}
	if err := checkTexts(text{field + ".description", a.Description}, text{field + ".pattern", a.Pattern}); err != nil {
		return err
	}
	if len(a.Pattern) > maxPattern {
		return invalid(field+".pattern", a.Pattern, fmt.Sprintf("is too long; want at most %d bytes", maxPattern))
	}
	if _, err := a.regexp(); err != nil {
		return invalid(field+".pattern", a.Pattern, "is no regular expression: "+err.Error())
	}
	if err := a.checkBounds(field); err != nil {
		return err
	}
	if a.Position < 1 {
		return invalid(field+".position", strconv.Itoa(a.Position), "is missing; number all arguments or none")
	}
	if a.Default == "" {
		return nil
	}
	return a.checkValue(field+".default", a.Default)
}

func isArgumentName(s string) bool {
	for _, r := range s {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		digit := '0' <= r && r <= '9'
		if !letter && !digit && r != '-' && r != '_' {
			return false
		}
	}
	return s != "" && len(s) <= maxNamePart
}

// checkBounds refuses bounds that do not apply to the type, or that no value can meet.
func (a Argument) checkBounds(field string) error {
	for _, bound := range []*float64{a.Min, a.Max} {
		switch {
		case bound == nil:
		case a.Type == ArgumentBoolean:
			return invalid(field, fmt.Sprint(*bound), "bounds a boolean")
		case math.IsNaN(*bound) || math.IsInf(*bound, 0):
			return invalid(field, fmt.Sprint(*bound), "is not a finite bound")
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min > *a.Max {
		return invalid(field+".max", fmt.Sprint(*a.Max), fmt.Sprintf("is less than the minimum %v", *a.Min))
	}
	return nil
}

// regexp returns the pattern, or nil if there is none. It prefers the longest match, so that
// [whole] finds a match of the whole text if there is one. Adding anchors to the text of a pattern
// could change its meaning: after \Qa, everything that follows is taken literally.
func (a Argument) regexp() (*regexp.Regexp, error) {
	if a.Pattern == "" {
		return nil, nil
	}
	pattern, err := regexp.Compile(a.Pattern)
	if err != nil {
		return nil, err
	}
	pattern.Longest()
	return pattern, nil
}

// whole reports whether the pattern matches all of text.
func whole(pattern *regexp.Regexp, text string) bool {
	at := pattern.FindStringIndex(text)
	return at != nil && at[0] == 0 && at[1] == len(text)
}

// checkValue refuses text that is not a value of the argument.
func (a Argument) checkValue(field, value string) error {
	if err := faults.CheckText(field, value); err != nil {
		return err
	}
	measure, err := a.measure(value)
	switch {
	case err != nil:
		return invalid(field, value, "is no "+string(a.Type))
	case a.Min != nil && measure < *a.Min:
		return invalid(field, value, fmt.Sprintf("is below the minimum %v", *a.Min))
	case a.Max != nil && measure > *a.Max:
		return invalid(field, value, fmt.Sprintf("is above the maximum %v", *a.Max))
	}
	pattern, err := a.regexp()
	if err != nil {
		return invalid(field, a.Pattern, "is no regular expression: "+err.Error())
	}
	if pattern != nil && !whole(pattern, value) {
		return invalid(field, value, "does not match "+a.Pattern)
	}
	return nil
}

// measure parses a value of the argument's type and returns what the bounds apply to: the number,
// or the length of a string.
func (a Argument) measure(value string) (float64, error) {
	switch a.Type {
	case ArgumentInteger:
		n, err := strconv.ParseInt(value, 10, 64)
		return float64(n), err
	case ArgumentFloat:
		f, err := strconv.ParseFloat(value, 64)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			err = strconv.ErrRange
		}
		return f, err
	case ArgumentBoolean:
		if value != "true" && value != "false" {
			return 0, strconv.ErrSyntax
		}
		return 0, nil
	default:
		return float64(utf8.RuneCountInString(value)), nil
	}
}

// argumentValues checks the values given for declared arguments and adds the
// defaults.
func argumentValues(declared []Argument, given map[string]string) (map[string]string, error) {
	values := make(map[string]string)
	for _, a := range declared {
		value, ok := given[a.Name]
		switch {
		case ok:
			if err := a.checkValue("arguments."+a.Name, value); err != nil {
				return nil, err
			}
			values[a.Name] = value
		case a.Default != "":
			values[a.Name] = a.Default
		case a.Required:
			return nil, invalid("arguments."+a.Name, "", "is missing and required")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := values[name]; !ok {
			return nil, invalid("arguments."+name, given[name], "is not an argument of the action")
		}
	}
	return nonEmpty(values), nil
}
