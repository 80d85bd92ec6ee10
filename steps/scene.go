package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/races"
)

// A scene is one execution of a plot.
type scene struct {
	*plot
	ctx   context.Context
	world *world
	tasks []*task
}

// A task is the run of one caller: its calls and their answers, in order.
type task struct {
	caller
	calls   []call
	after   bool // it began after the earlier acts had ended
	answers []answer
	err     error // why a call could not be made
}

// play runs a plot once. A must that does not hold is reported to t in the words of its step; an
// error means that nothing was judged.
func (p *plot) play(t races.T, prepared []byte) (err error) {
	w, err := p.open(t, prepared)
	if err != nil {
		return err
	}
	defer func() {
		if failed := w.close(); failed != nil && err == nil {
			err = fmt.Errorf("close: %w", failed)
		}
	}()
	s := &scene{plot: p, ctx: t.Context(), world: w}
	if err := s.hold(); err != nil {
		return err
	}
	if err := s.act(t); err != nil {
		return err
	}
	for _, m := range p.musts {
		switch wrong, err := judge(s, m); {
		case err != nil:
			return err
		case wrong != nil:
			t.Errorf("%s: %v", m.text, wrong)
			return nil
		}
	}
	return nil
}

// judge separates a violation from an error that prevented judging.
func judge(s *scene, m must) (wrong *violation, err error) {
	err = m.check(s)
	if v, ok := err.(*violation); ok {
		return v, nil
	}
	return nil, err
}

// A violation is the error of a must that does not hold.
type violation struct{ message string }

func (v *violation) Error() string { return v.message }

func violated(format string, args ...any) error {
	return &violation{message: fmt.Sprintf(format, args...)}
}

// hold lets every instance read the plan, if the plot says so.
func (s *scene) hold() error {
	for i := range s.instances {
		if !s.held {
			return nil
		}
		if a, err := s.world.do(s.ctx, call{verb: "read the plan"}, asker{instance: i, by: "beginning"}); err != nil || a.err != nil {
			return fmt.Errorf("%w%v", err, a.err)
		}
	}
	return nil
}

// act starts the callers. Those that come after the others wait for them.
func (s *scene) act(t races.T) error {
	n := 0
	for i, a := range s.acts {
		if a.after && i > 0 {
			t.Wait()
		}
		if i == 0 {
			s.openGate()
		}
		var serial []*task
		for _, c := range a.callers {
			k := &task{caller: c, calls: a.calls, after: a.after}
			first := n
			n += len(a.calls)
			s.tasks = append(s.tasks, k)
			if a.serial {
				k.answers = make([]answer, 0, len(a.calls))
				serial = append(serial, k)
				continue
			}
			t.Go(c.name, func() { s.run(t, k, first) })
		}
		if a.serial {
			s.inTurn(t, serial, n-len(serial)*len(a.calls))
		}
	}
	t.Wait()
	for _, k := range s.tasks {
		if k.err != nil {
			return k.err
		}
	}
	return nil
}

// inTurn runs callers one after the other.
func (s *scene) inTurn(t races.T, tasks []*task, first int) {
	t.Go("one after the other", func() {
		for i, k := range tasks {
			s.run(t, k, first+i*len(k.calls))
		}
	})
}

// run makes the calls of a task. first is the number of the first one in the scene.
func (s *scene) run(t races.T, k *task, first int) {
	defer s.leave(k.calls)
	for i, c := range k.calls {
		var a answer
		if a, k.err = s.world.do(s.ctx, c, asker{instance: k.instance, by: k.name, n: first + i}); k.err != nil {
			return
		}
		t.Logf("%s: %s", c, a)
		k.answers = append(k.answers, a)
	}
}

// openGate makes the gate count the callers that do not ask for a value: creators that "wait for the others" wait until
// all of these are done.
func (s *scene) openGate() {
	gate := s.world.gate
	if gate == nil {
		return
	}
	var others atomic.Int32
	var once sync.Once
	for _, a := range s.acts {
		if !asks(a.calls) && !a.after {
			others.Add(int32(len(a.callers)))
		}
	}
	s.world.gate = func() {
		if others.Add(-1) <= 0 {
			once.Do(gate)
		}
	}
	if others.Load() == 0 && !s.does("give up") {
		once.Do(gate)
	}
}

// leave tells the gate that a caller is done.
func (s *scene) leave(calls []call) {
	if s.world.gate != nil && !asks(calls) {
		s.world.gate()
	}
}

// asks reports whether a caller asks a cache for a value.
func asks(calls []call) bool {
	return slices.ContainsFunc(calls, func(c call) bool {
		return strings.HasPrefix(c.verb, "ask") || c.verb == "give up" || c.verb == "lease the value"
	})
}

// answers returns the answers to all calls whose verb satisfies is.
func (s *scene) answers(is func(verb string) bool) (all []answer) {
	for _, k := range s.tasks {
		for _, a := range k.answers {
			if is(a.verb) {
				all = append(all, a)
			}
		}
	}
	return all
}

// writes returns the answers to the calls that change something.
func (s *scene) writes() []answer { return s.answers(changes) }

// changes reports whether a call does more than read.
func changes(verb string) bool {
	return !strings.HasPrefix(verb, "read") && !strings.HasPrefix(verb, "list")
}

// ask makes a call afterwards, by an instance. An error of the call is a violation.
func (s *scene) ask(instance int, verb, arg string) (answer, error) {
	a, err := s.world.do(s.ctx, call{verb, arg}, asker{instance: instance, by: "afterwards"})
	if err == nil && a.err != nil {
		err = violated("%s afterwards: %v", verb, a.err)
	}
	return a, err
}

// count returns a fact afterwards. It is a violation if the fact cannot be counted.
func (s *scene) count(fact string) (int, error) {
	n, err := s.world.count(s.ctx, fact)
	if err != nil && !strings.Contains(err.Error(), errScenario.Error()) {
		err = violated("count %s: %v", fact, err)
	}
	return n, err
}

// told lists the answers, each with its caller and its call.
func told(all []answer) string {
	words := make([]string, len(all))
	for i, a := range all {
		words[i] = fmt.Sprintf("%s: %s: %s", a.by, a.call, a)
	}
	return strings.Join(words, "; ")
}
