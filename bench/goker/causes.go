package goker

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A cause is what a verdict must say about a kernel: which goroutine waits in which line
// for what. Each wait is written as "goroutine line object", without the numbers that
// distinguish equal names, and stands for all waits with this prefix.
type cause struct {
	// must are the waits of the bug, all of which have to be there.
	// Several lists are alternatives: ways in which the bug shows.
	must [][]string
	// may are the waits of other goroutines, which are consequences.
	may []string
}

// one returns a cause that shows in one way.
func one(must ...string) cause { return cause{must: [][]string{must}} }

// besides adds waits that are consequences.
func (c cause) besides(may ...string) cause {
	c.may = may
	return c
}

// or adds another way in which the bug shows.
func (c cause) or(must ...string) cause {
	c.must = append(c.must, must)
	return c
}

// number matches what distinguishes goroutines or objects of one name.
var number = regexp.MustCompile(` ?#\d+`)

// waitText returns a wait in the form of causes.
func waitText(w timeline.Wait) string {
	_, line, _ := strings.Cut(w.Where, ":")
	if _, err := strconv.Atoi(line); err != nil {
		line = "?"
	}
	text := strings.TrimPrefix(w.Thread, "main.") + " " + line + " " + w.Object
	return number.ReplaceAllString(text, "")
}

// told returns an error that says which waits of the cause a verdict lacks, or which
// other waits it has; nil if it names the cause.
func (c cause) told(tl *timeline.Timeline) error {
	if tl == nil {
		return fmt.Errorf("got no report, want one")
	}
	var got []string
	for _, w := range tl.Blocked {
		got = append(got, waitText(w))
	}
	var wrong error
	for _, must := range c.must {
		if wrong = tells(got, must, c.may); wrong == nil {
			return nil
		}
	}
	return wrong
}

func tells(got, must, may []string) error {
	for _, want := range must {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, want) }) {
			return fmt.Errorf("got %q, want %q among them", got, want)
		}
	}
	for _, g := range got {
		if !slices.ContainsFunc(slices.Concat(must, may), func(w string) bool { return strings.HasPrefix(g, w) }) {
			return fmt.Errorf("got %q, which is no part of the cause %q", g, must)
		}
	}
	return nil
}
