package guest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// processors is the number of processors that tests see, and of parallel subtests that run at the
// same time without the flag -test.parallel: the same on every machine, so that cards mean the same
// everywhere.
const processors = 4

// pace is how time passes in a test. Tests that were not written for a clock that stands still
// expect that operations take time, and that they run a little after their timers and not at once;
// few expect to run at the turn of a year. The start is the same for all, so that a card means the
// same on every day. The process's own calendar ends there: see runtime/jacquard_wall.go of the
// overlay.
var pace = control.Pace{
	Start: time.Date(2026, time.January, 7, 10, 11, 12, 131415161, time.UTC).UnixNano(),
	Read:  10,
	Asked: 1000,
	Late:  10_000,
}

// A guest runs the tests of this process.
type guest struct {
	ctx      context.Context
	request  *protocol.Request
	events   *child.Conn
	origin   place  // the working directory and environment at start
	place    place  // those after TestMain
	plainAll string // what the tests have written without control, once that was tried; see besideOthers
	item     *item  // that is running
	over     bool   // no further item may run
	apart    bool   // TestMain has changed files that a second process would change, too
}

// invited reports whether this package is the copy that the overlay has added to the binary, not
// one that the tests belong to or use.
func invited() bool { return strings.HasPrefix(reflect.TypeFor[guest]().PkgPath(), "internal/") }

func init() {
	if !invited() {
		return
	}
	self, err := os.Executable()
	if err == nil && os.Getenv(protocol.InsideVar) == self {
		return
	}
	request, err := protocol.ReadRequest()
	if request == nil && err == nil {
		return
	}
	_ = os.Unsetenv(protocol.RequestVar) // processes that tests start must not see it
	_ = os.Setenv(protocol.InsideVar, self)
	if err != nil {
		giveUp(err)
	}
	if !search.Controlled() {
		giveUp(search.ErrNotControlled)
	}
	events, err := os.OpenFile(request.Events, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		giveUp(err)
	}
	g := &guest{ctx: context.Background(), request: request, events: child.Lines(nil, events)}
	g.origin.note()
	control.SetOwnFiles(os.TempDir())
	setHost(g.run, g.named, g.logged, g.failed, g.collect, g.explores)
}

// giveUp exits a process that cannot do what it was started for.
func giveUp(err error) {
	fmt.Fprintf(os.Stderr, "jacquard: %v\n", err)
	os.Exit(2)
}

// run runs a test or an example as the request says. Package testing calls it for each one in turn,
// instead of running the test.
func (g *guest) run(name string, once func() (ok, skipped bool)) (ok bool) {
	if g.over {
		return true
	}
	g.begin()
	g.tell(protocol.Event{Test: name, Begin: true})
	g.bound(name)
	g.item = &item{guest: g, name: name, once: once}
	event := g.item.explore()
	g.bound("")
	g.tell(event)
	if event.Spoilt {
		os.Exit(1)
	}
	ok = event.Verdict != verdict.Violated.String()
	g.over = !ok && g.request.FailFast
	return ok
}

// begin records, before the first test, the state that tests may change.
func (g *guest) begin() {
	if g.place.known {
		return
	}
	control.Initialised()
	g.apart = control.MainChangesFiles()
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "test.parallel" })
	if !set {
		// Not by flag.Set, after which it would count as given: Ginkgo then refuses to run. The flag
		// exists, and the value is valid.
		_ = flag.Lookup("test.parallel").Value.Set(strconv.Itoa(processors))
	}
	control.SetProcessors(processors)
	p := pace
	p.On = g.request.Mode == protocol.Discover // files that tests leave must not have future times
	control.SetPace(p)
	g.place.note()
}

// bound writes a boundary between the outputs of tests.
func (g *guest) bound(name string) {
	if g.request.Mode == protocol.Discover {
		_, _ = os.Stdout.WriteString(protocol.Boundary(name)) // a failed write harms only the output
	}
}

// tell sends an event. If the receiver is gone, the process gives up.
func (g *guest) tell(e protocol.Event) {
	if err := g.events.Send(e); err != nil {
		giveUp(err)
	}
}
