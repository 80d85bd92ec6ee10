package explore

import (
	"context"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/search"
)

// Controlled reports whether this process can control schedules.
func Controlled() bool { return search.Controlled() }

// Run explores body according to cfg. It returns an error only if it could not explore
// at all: [ErrNotControlled], [ErrConfig], [ErrNested], [ErrBubble] or [ErrLost]; or if
// the context ended before the exploration did. A body that fails is a result, not an
// error. Concurrent calls run their explorations one after the other.
func Run(ctx context.Context, cfg Config, body func(*T)) (*Result, error) {
	return search.Run(ctx, search.Config(cfg), body)
}

// Replay runs body under the schedule of a card. In the program that made the card,
// replay is strict: the execution must be the same to the last step, or the outcome is
// [Diverged]. In another program, such as an edited one or one built by another version
// of Go, Replay looks for the operations that the card names, by goroutine, kind,
// function and object; see [Outcome].
//
// The error is [ErrCard] (and with it [ErrFormat]), [ErrOtherTest] or one of Run's.
// cfg must agree with that of the exploration that made the card in everything that
// determines scheduling points.
func Replay(ctx context.Context, cfg Config, cardText string, body func(*T)) (*Replayed, error) {
	return search.Replay(ctx, search.Config(cfg), cardText, body)
}

// Survey runs body once, under the schedule without preemptions, and reports how much
// there is to explore: [Result].Points is the number of choices in that schedule. If it
// is 0 the body behaves the same in every schedule, and there is nothing more to
// explore. Survey is for callers with many bodies, most of which have no choices.
//
// The verdict is Violated if the schedule fails, and Unknown otherwise. A failure has a
// card, but is neither minimised nor retried; [Run] does both. So effects that only the
// first execution of a process has can make the card impossible to follow. The errors
// are those of Run.
func Survey(ctx context.Context, cfg Config, body func(*T)) (*Result, error) {
	return search.Survey(ctx, search.Config(cfg), body)
}

// ErrNotControlled is returned by [Run] and [Replay] in a process that was not built
// with the overlay.
var ErrNotControlled = search.ErrNotControlled

// ErrNested is returned by [Run] and [Replay] inside an explored body.
var ErrNested = search.ErrNested

// ErrBubble is returned by [Run] and [Replay] inside a bubble of testing/synctest. Only
// the body may have bubbles.
var ErrBubble = search.ErrBubble

// ErrLost is returned by [Run] and [Replay] after an exploration of this process ended
// because a goroutine did not give way within Config.Watchdog. That goroutine still
// runs, so no further execution can be controlled. Everything else in the process works
// as usual.
var ErrLost = search.ErrLost

// ErrConfig is wrapped by errors about an invalid Config, or a nil context or body.
var ErrConfig = search.ErrConfig

// Errors about cards. Each is wrapped with what was got and what was wanted.
var (
	// ErrCard: the string is not a card, or is incomplete.
	ErrCard = card.ErrCard
	// ErrFormat: the card was made by another version of this package. The error
	// matches ErrCard too.
	ErrFormat = card.ErrFormat
	// ErrOtherTest: the card belongs to another body.
	ErrOtherTest = card.ErrOtherTest
)

// CheckCard reports whether text is a complete card of any body. The error matches
// [ErrCard].
func CheckCard(text string) error { return card.CheckCard(text) }
