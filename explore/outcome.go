package explore

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An outcome is how an execution ended.
type outcome struct {
	kind     Kind // "" is well
	message  string
	messages []string
	races    []RaceReport
	unknown  string // why nothing can be concluded
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

// panicText formats a panic's value; its own methods may panic in turn.
func panicText(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T (its text cannot be had: %v)", v, r)
		}
	}()
	return fmt.Sprint(v)
}

// conclude says how the execution ended.
func (ex *execution) conclude() {
	o := &ex.out
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
		switch ex.e.Member(i).State {
		case control.Blocked, control.Runnable:
			o.blocked = append(o.blocked, uint32(i))
		}
	}
	if len(o.blocked) == 0 {
		return
	}
	names := ex.list(o.blocked)
	switch {
	case ex.e.Member(1).State != control.Exited:
		o.fail(KindDeadlock, fmt.Sprintf("%s can never go on", names))
	case ex.x.cfg.Leaks == LeaksFail:
		o.fail(KindLeak, fmt.Sprintf("%s never ended", names))
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
