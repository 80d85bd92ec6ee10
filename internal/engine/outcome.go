package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/source"
)

// An Outcome is how an execution ended.
type Outcome struct {
	Kind     Kind // "" means that nothing failed
	Message  string
	Messages []string
	Races    []RaceReport
	Unknown  string // why nothing can be concluded
	panicked *any   // the value of a panic that was not recovered
	Stack    []uintptr
	Blocked  []uint32
}

func (o *Outcome) Failed() bool { return o.Kind != "" }

// fail records a failure unless there is one already.
func (o *Outcome) fail(kind Kind, message string) {
	if o.Kind == "" {
		o.Kind, o.Message = kind, message
	}
}

// mostText bounds a message, in bytes.
const mostText = 1500

// shorten truncates a text that is too long to read.
func shorten(text string) string {
	if len(text) <= mostText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:mostText], ""), len(text))
}

// PanicText formats a panic's value. The value's methods may themselves panic, or wait
// for goroutines that the execution has left.
func PanicText(v any) string {
	if s, ok := v.(string); ok {
		return shorten(s)
	}
	text := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				text <- fmt.Sprintf("%T (its text is not available: %v)", v, r)
			}
		}()
		text <- fmt.Sprint(v)
	}()
	select {
	case s := <-text:
		return shorten(s)
	case <-time.After(10 * time.Second):
		return fmt.Sprintf("%T (its text takes too long)", v)
	}
}

// bornAs returns the numbers that the race detector gave to the tasks.
func (ex *Execution) bornAs() []uint32 {
	if len(ex.racers) == 0 {
		return nil
	}
	all := make([]uint32, ex.Control.Len())
	for i := range all {
		all[i] = ex.Control.Task(i + 1).Born
	}
	return all
}

type (
	// A RaceReport is one report of the race detector.
	RaceReport = racelog.Report
	// A RaceAccess is one of its two accesses.
	RaceAccess = racelog.Access
)

// conclude determines how the execution ended.
func (ex *Execution) conclude() {
	o := &ex.Out
	if o.panicked != nil {
		o.fail(KindPanic, "panic: "+strings.TrimRight(PanicText(*o.panicked), "\n")) // only now, when nothing of the tasks can still precede it
	}
	o.Races = ex.Engine.races.Read(ex.Control.RaceFrames(), racelog.Accessors{Later: ex.racers, Born: ex.bornAs(), Name: ex.Name})
	for _, r := range o.Races {
		if addr, err := strconv.ParseUint(r.Address, 0, 64); err == nil {
			ex.Control.ForgetAccesses(uintptr(addr))
		}
	}
	if ex.t.unknown != "" && o.Unknown == "" {
		o.Unknown = ex.t.unknown
	}
	if n := ex.Control.Outside(); n > 0 && o.Unknown == "" {
		o.Unknown = fmt.Sprintf("%s by goroutines outside the execution", source.Plural(int(n), "wake-up"))
	}
	if ex.Astray && o.Unknown == "" {
		o.Unknown = "a goroutine of the program's start waits elsewhere than it did, or has failed, since an earlier schedule"
	}
	if len(o.Races) > 0 && ex.Engine.Settings.Races != RacesNote {
		first := o.Races[0]
		// The race happened at the access, before the failures that it may have caused.
		kind, msg := o.Kind, o.Message
		o.Kind, o.Message = KindRace, first.String()
		if kind != "" {
			o.Messages = append(o.Messages, msg)
		}
	}
	if ex.Returned() && ex.t.gone() {
		o.fail(KindCheck, goneText)
	}
	failures := ex.t.failures()
	o.Messages = append(o.Messages, failures...)
	if len(failures) > 0 {
		o.fail(KindCheck, failures[0])
	}
	if !o.Failed() && o.Unknown == "" {
		ex.left()
	}
	if ex.Stalls.Spent > ex.Stalls.Once && o.Failed() {
		*o = Outcome{} // a search only passes through here: it must find the failure within the time
		ex.Stalls.Short = true
	}
}

// left fails the execution if tasks are left that can never continue.
func (ex *Execution) left() {
	o := &ex.Out
	for i := 1; i <= ex.Control.Len(); i++ {
		switch m := ex.Control.Task(i); m.State {
		case control.Blocked, control.Runnable:
			if !m.Leftover() {
				o.Blocked = append(o.Blocked, uint32(i))
			}
		}
	}
	switch {
	case len(o.Blocked) == 0 || ex.jam():
	case !ex.Returned():
		o.fail(KindDeadlock, fmt.Sprintf("%s can never go on", ex.List(ex.Told(o.Blocked))))
	case ex.Ticking() && !ex.mustEnd():
	case ex.Engine.Settings.Leaks == LeaksFail, ex.Engine.Settings.Leaks == LeaksStuck:
		if o.Blocked = ex.leaks(o.Blocked); len(o.Blocked) > 0 {
			o.fail(KindLeak, ex.leaked(o.Blocked))
		}
	case ex.Engine.Settings.Leaks == LeaksDiffer:
		if o.Blocked = ex.Engine.Leakage.odd(ex, ex.leaks(o.Blocked)); len(o.Blocked) > 0 {
			o.fail(KindLeak, ex.leakedHere())
		}
	}
}

func (ex *Execution) List(ids []uint32) string {
	var names []string
	for _, id := range ids {
		names = append(names, strconv.Quote(ex.Name(id)))
	}
	return source.Listed(names)
}

// Text describes how an execution ended.
func (o *Outcome) Text() string {
	if !o.Failed() {
		return ", without a failure"
	}
	return fmt.Sprintf(", %s (%s)", o.Kind, ClassOf(o.Message))
}

// MaxStack bounds a goroutine's stack within an execution, in bytes: otherwise an
// endless recursion would need a gigabyte each time.
const MaxStack = 64 << 20

// A Kind is how a schedule failed.
type Kind string

// The kinds of failure.
const (
	KindCheck    Kind = "check"    // t.Error, t.Fatal and their like
	KindPanic    Kind = "panic"    // a panic that was not recovered
	KindFatal    Kind = "fatal"    // a fatal error of the Go runtime
	KindRace     Kind = "race"     // a data race
	KindDeadlock Kind = "deadlock" // the body can never return, or goroutines wait for one another's locks
	KindLeak     Kind = "leak"     // a goroutine that can never end
	KindLivelock Kind = "livelock" // the execution did not end within MaxSteps although it was scheduled fairly
	KindExit     Kind = "exit"     // os.Exit, log.Fatal: the process would have ended
	KindTiming   Kind = "timing"   // any of these, found only where a goroutine that could run is held up, for 10 µs or more, until a timer fires
)

// Kinds gives each kind its number in a card; append only.
var Kinds = []Kind{"", KindCheck, KindPanic, KindFatal, KindRace, KindDeadlock, KindLeak, KindLivelock, KindExit, KindTiming}

func KindNumber(k Kind) int { return max(slices.Index(Kinds, k), 0) }
