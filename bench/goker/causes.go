package goker

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A cause is what a verdict must say of a kernel: who waits in which line for
// what. Each wait is written as "goroutine line object", without the numbers that
// tell equals apart, and stands for all that begin so.
type cause struct {
	// must are the waits that are the bug, each of which has to be there.
	// Several lists are several ways in which the bug shows.
	must [][]string
	// may are those of others, which wait because of it.
	may []string
}

// one is a cause that shows in one way.
func one(must ...string) cause { return cause{must: [][]string{must}} }

// besides adds waits of others.
func (c cause) besides(may ...string) cause {
	c.may = may
	return c
}

// or adds another way in which the bug shows.
func (c cause) or(must ...string) cause {
	c.must = append(c.must, must)
	return c
}

// number is what tells goroutines or objects of one name apart.
var number = regexp.MustCompile(` ?#\d+`)

// waitText is a wait as causes are written.
func waitText(w timeline.Wait) string {
	_, line, _ := strings.Cut(w.Where, ":")
	if _, err := strconv.Atoi(line); err != nil {
		line = "?"
	}
	text := strings.TrimPrefix(w.Thread, "main.") + " " + line + " " + w.Object
	return number.ReplaceAllString(text, "")
}

// told says what a verdict lacks of the cause, or has that is no part of it; nil
// if it is told as it must be.
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
