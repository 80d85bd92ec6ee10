package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// replayLine returns the command that replays a failure of the package: see protocol.Request.
func (r *run) replayLine() string {
	c := r.cfg
	line := c.Command + " replay"
	if c.Brief && !c.Verbose {
		if c.Dir != "" {
			line += " -C " + quoted(c.Dir)
		}
		return line + " " + protocol.ReplayTest
	}
	words := []string{line}
	if c.Dir != "" {
		words = append(words, "-C", quoted(c.Dir))
	}
	for _, word := range r.replayFlags() {
		words = append(words, quoted(word))
	}
	words = append(words, r.ImportPath+"."+protocol.ReplayTest, protocol.ReplayCard)
	if len(c.Args) > 0 {
		words = append(words, "-args")
	}
	for _, arg := range c.Args {
		words = append(words, quoted(arg))
	}
	return strings.Join(words, " ")
}

// replayFlags returns the flags that make the package's tests the same again.
func (r *run) replayFlags() (flags []string) {
	c := r.cfg
	add := func(is bool, words ...string) {
		if is {
			flags = append(flags, words...)
		}
	}
	add(c.NoRace, "-race=false")
	add(len(c.Tags) > 0, "-tags", strings.Join(c.Tags, ","))
	add(true, c.BuildFlags...)
	add(c.Short, "-short")
	add(c.Parallel > 0, "-parallel", fmt.Sprint(c.Parallel))
	add(c.Leaks != protocol.LeaksDiffer, "-leaks", string(c.Leaks))
	add(deep(c.Run) != "", "-run", c.Run)
	add(deep(c.Skip) != "", "-skip", c.Skip)
	return flags
}

// words returns the flags and arguments of the package's tests.
func (r *run) words() []string {
	if len(r.cfg.Args) == 0 {
		return r.replayFlags()
	}
	return slices.Concat(r.replayFlags(), []string{"-args"}, r.cfg.Args)
}

// deep returns a pattern if it also selects subtests, and "" otherwise.
func deep(pattern string) string {
	if strings.Contains(pattern, "/") {
		return pattern
	}
	return ""
}

// harmless matches words that need no quoting in a shell.
var harmless = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quoted quotes a word for a shell.
func quoted(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// A Card is a failing schedule of one test.
type Card struct {
	Package string // import path or directory
	Test    string // the top-level test, example or fuzz target
	Text    string // see explore.Replay
	Width   int    // columns of the report; 0 is a default
	Verbose bool   // show all steps in the report
	HTML    bool   // make a page, too
}

// subject matches the name of a test: its package, a dot, its name.
var subject = regexp.MustCompile(`^(.+)\.((?:Test|Example|Fuzz)[^./\\]*)$`)

// ParseSubject parses the name of a test, such as example.com/account.TestWithdraw or
// ./account.TestWithdraw. It returns false if text is not one.
func ParseSubject(text string) (pkg, test string, ok bool) {
	m := subject.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// ErrReplay is wrapped by the errors of [Replay] for a process that did not report on the card.
var ErrReplay = errors.New("the test's process did not replay the card")

// Replay builds the package's test binary as Run does and replays the card. The event has the
// verdict: violated with a report, or unknown with a reason; Replayed says then that the card no
// longer fails, or that it cannot be followed. Of cfg's Run and Skip only the parts for subtests
// matter. The error is as Run's, that of a package that does not build, or wraps ErrReplay.
func Replay(ctx context.Context, cfg Config, card Card) (told protocol.Event, err error) {
	err = Replays(ctx, cfg, card, func(e protocol.Event) bool {
		told = e
		return false
	})
	return told, err
}

// Replays is like Replay, of one build, repeated while more returns true, each time in a new
// process.
func Replays(ctx context.Context, cfg Config, card Card, more func(protocol.Event) bool) error {
	_, err := replay(ctx, cfg, card, func(ctx context.Context, r *run) (e protocol.Event, err error) {
		for again := true; again && err == nil; {
			short, cancel := r.cfg.bounded(ctx)
			e, err = r.follow(short, card)
			cancel()
			again = err == nil && more(e)
		}
		return e, err
	})
	return err
}

// replay builds the card's package and calls do.
func replay(ctx context.Context, cfg Config, card Card, do func(context.Context, *run) (protocol.Event, error)) (protocol.Event, error) {
	cfg.Packages, cfg.Vet = []string{card.Package}, build.VetOff
	var told *protocol.Event
	var said strings.Builder
	cfg.Out, cfg.Errs, cfg.JSON = &said, &said, false
	_, err := each(ctx, cfg, func(ctx context.Context, c Config, p build.Program, _ io.Writer, temp string) (bool, error) {
		e, err := do(ctx, &run{Program: p, cfg: c, temp: temp})
		told = &e
		return true, err
	}, nothing)
	if err == nil && told == nil {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	if err != nil {
		return protocol.Event{}, err
	}
	return *told, nil
}

// follow replays a card of the package in a process. The error is the cause of ctx's end, or wraps
// ErrReplay.
func (r *run) follow(ctx context.Context, card Card) (protocol.Event, error) {
	proc, err := r.startTest(ctx, r.asked(card), card.Test)
	if err != nil {
		return protocol.Event{}, err
	}
	var told *protocol.Event
	for e, more := proc.next(); more; e, more = proc.next() {
		if !e.Begin {
			told = &e
		}
	}
	how := proc.finish()
	switch {
	case told != nil:
		return *told, nil
	case ctx.Err() != nil:
		return protocol.Event{}, context.Cause(ctx)
	}
	why := strings.TrimSpace(proc.said.String())
	if how == "" {
		how, why = "there is no test of this name", card.Test
	}
	return protocol.Event{}, fmt.Errorf("%w: %s: %s", ErrReplay, how, why)
}

// asked returns the request to replay a card.
func (r *run) asked(card Card) protocol.Request {
	req := r.request(protocol.Replay)
	req.Card, req.Width, req.Verbose, req.HTML = card.Text, card.Width, card.Verbose, card.HTML
	return req
}

// flagsOf returns the flags of a process that runs one test, with those of its subtests that were
// requested.
func (r *run) flagsOf(test string) []string {
	flags := []string{"-test.run=" + protocol.Only(r.cfg.Run, test)}
	if r.cfg.Skip != "" {
		flags = append(flags, "-test.skip="+r.cfg.Skip)
	}
	return append(flags, r.flags()...)
}
