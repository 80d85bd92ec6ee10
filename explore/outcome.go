package explore

import (
	"fmt"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An outcome is how an execution ended.
type outcome struct {
	kind     Kind // "" is well
	message  string
	messages []string
	races    []RaceReport
	unknown  string // why nothing can be concluded
	panicked *any   // the value of a panic that nobody recovered
	stack    []uintptr
	blocked  []uint32
}

func (o *outcome) failed() bool { return o.kind != "" }

// fail keeps the first failure.
func (o *outcome) fail(kind Kind, message string) {
	if o.kind == "" {
		o.kind, o.message = kind, message
	}
}

// mostText bounds a message, in bytes.
const mostText = 1500

// shorten cuts a text that is too long to be read.
func shorten(text string) string {
	if len(text) <= mostText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:mostText], ""), len(text))
}

// panicText formats a panic's value. Its own methods may panic in turn, or wait
// for what the execution has left behind.
func panicText(v any) string {
	if s, ok := v.(string); ok {
		return shorten(s)
	}
	text := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				text <- fmt.Sprintf("%T (its text cannot be had: %v)", v, r)
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

// conclude says how the execution ended.
func (ex *execution) conclude() {
	o := &ex.out
	if o.panicked != nil {
		o.fail(KindPanic, "panic: "+panicText(*o.panicked)) // now that what members did comes before this
	}
	o.races = ex.x.races.read(ex.e.RaceFrames(), accessors{later: ex.racers, name: ex.name})
	if ex.t.unknown != "" && o.unknown == "" {
		o.unknown = ex.t.unknown
	}
	st := ex.e.Status()
	if st.Outside > 0 && o.unknown == "" {
		o.unknown = fmt.Sprintf("%s by goroutines outside the execution", plural(int(st.Outside), "wake-up"))
	}
	if len(o.races) > 0 && ex.x.cfg.Races == RacesFail {
		first := o.races[0]
		// A race is found at the access, before what it may lead to.
		kind, msg := o.kind, o.message
		o.kind, o.message = KindRace, first.String()
		if kind != "" {
			o.messages = append(o.messages, msg)
		}
	}
	if ex.returned() && ex.t.gone() {
		o.fail(KindCheck, "the body ended by runtime.Goexit, not by T.FailNow or T.SkipNow")
	}
	failures := ex.t.failures()
	o.messages = append(o.messages, failures...)
	if len(failures) > 0 {
		o.fail(KindCheck, failures[0])
	}
	if o.failed() || o.unknown != "" || ex.stopped {
		return
	}
	ex.left()
}

// left looks at the members that can never go on.
func (ex *execution) left() {
	o := &ex.out
	for i := 1; i <= ex.e.Len(); i++ {
		switch m := ex.e.Member(i); m.State {
		case control.Blocked, control.Runnable:
			if !m.Resident() {
				o.blocked = append(o.blocked, uint32(i))
			}
		}
	}
	switch {
	case len(o.blocked) == 0 || ex.jam():
	case !ex.returned():
		o.fail(KindDeadlock, fmt.Sprintf("%s can never go on", ex.list(ex.told(o.blocked))))
	case ex.ticking() && (ex.x.cfg.Leaks == LeaksStuck || ex.x.cfg.Leaks == LeaksDiffer):
	case ex.x.cfg.Leaks == LeaksFail, ex.x.cfg.Leaks == LeaksStuck:
		if o.blocked = ex.leaks(o.blocked); len(o.blocked) > 0 {
			o.fail(KindLeak, ex.leaked(o.blocked))
		}
	case ex.x.cfg.Leaks == LeaksDiffer:
		if o.blocked = ex.x.leakage.odd(ex, ex.leaks(o.blocked)); len(o.blocked) > 0 {
			o.fail(KindLeak, ex.leaked(o.blocked)+"; in other schedules none like it is left")
		}
	}
}

func (ex *execution) list(ids []uint32) string {
	text := ""
	for i, id := range ids {
		switch {
		case i > 0 && i == len(ids)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprintf("%q", ex.name(id))
	}
	return text
}
