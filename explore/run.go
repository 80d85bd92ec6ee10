package explore

import (
	"context"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/search"
)

// Controlled reports whether this process can choose schedules.
func Controlled() bool { return search.Controlled() }

// Run explores body according to cfg. It returns an error only if it could not
// explore at all: [ErrNotControlled], [ErrConfig], [ErrNested], [ErrBubble], [ErrLost],
// or the context's. A body that fails is a result. Explorations of one process run
// one after the other.
func Run(ctx context.Context, cfg Config, body func(*T)) (*Result, error) {
	return search.Run(ctx, search.Config(cfg), body)
}

// Replay runs body under the schedule of a card. In the program that the card
// is from it is strict: the course is the same to the last step, or the outcome
// is [Diverged]. In another one, such as the same after an edit or built by
// another version of Go, it looks for the operations that the card names, by
// their goroutine, kind, function and object; see [Outcome].
//
// The error is [ErrCard] (and with it [ErrFormat]), [ErrOtherTest],
// [ErrNotControlled], [ErrConfig] or the context's. cfg must be that of the
// exploration that made the card, as far as it decides what is a scheduling
// point.
func Replay(ctx context.Context, cfg Config, cardText string, body func(*T)) (*Replayed, error) {
	return search.Replay(ctx, search.Config(cfg), cardText, body)
}

// Survey runs body once, by the schedule that preempts nobody, and says what is
// in it: [Result].Points is how many choices a schedule of it has. If there are
// none the body does the same in every schedule, and this one is all there is to
// explore. It is for those who have many bodies, most of them of that kind.
//
// The verdict is Violated if the schedule fails, and Unknown otherwise. A failure
// has a card, but is neither minimised nor repeated: that is for [Run]. What only
// the first execution of a process does can so keep the card from being followed.
// The error is as Run's.
func Survey(ctx context.Context, cfg Config, body func(*T)) (*Result, error) {
	return search.Survey(ctx, search.Config(cfg), body)
}

// ErrNotControlled is returned by [Run] and [Replay] in a process that was not
// built with the overlay.
var ErrNotControlled = search.ErrNotControlled

// ErrNested is returned by [Run] and [Replay] inside an explored body.
var ErrNested = search.ErrNested

// ErrBubble is returned by [Run] and [Replay] in a bubble of testing/synctest. It is
// the body that may have bubbles.
var ErrBubble = search.ErrBubble

// ErrLost is returned by [Run] and [Replay] after an exploration of the process
// that ended because a goroutine did not give way within Config.Watchdog: it still
// runs, and so no other execution can be controlled. All else in the process goes
// on as usual.
var ErrLost = search.ErrLost

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = search.ErrConfig

// Errors about cards. Each is wrapped with what was got and what was wanted.
var (
	// ErrCard: the string is not a card, or not a whole one.
	ErrCard = card.ErrCard
	// ErrFormat: it is a card, but of another version of this package. The
	// error matches ErrCard too.
	ErrFormat = card.ErrFormat
	// ErrOtherTest: the card belongs to another body.
	ErrOtherTest = card.ErrOtherTest
)

// CheckCard reports whether text is a whole card, without saying of what. The
// error matches [ErrCard].
func CheckCard(text string) error { return card.CheckCard(text) }
