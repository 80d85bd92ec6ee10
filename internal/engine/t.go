package engine

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A T is a body's handle on its execution. It is a [testing.TB]. Any goroutine of
// the body may call its methods. They are no scheduling points (except [T.Go], [T.Run] and
// [T.Wait]) and hide no data race: for the race detector they synchronise
// nothing.
//
// FailNow, Fatal, Fatalf, Skip and SkipNow end the calling goroutine, whichever it is. A
// body that skips counts as one that did nothing.
type T struct {
	testing.TB // nil under control; the methods below replace all of it

	host     Host
	name     string
	parent   *T // nil unless this is a part of [T.Run]
	wg       sync.WaitGroup
	cleanup  []func()
	failed   bool
	skipped  bool
	errors   []string
	unknown  string
	returned bool // the body has returned
}

// A Host implements what differs between a controlled execution and a plain run.
type Host interface {
	Guard() func()      // locks the handle's state; returns the unlock
	naming(name string) // names the goroutine that the caller starts next
	named()             // the caller has started it
	called(name string) // names the calling goroutine
	tempDir() (string, error)
	// Logged adds a line to the calling goroutine's column. The result may be changed
	// until the execution is shown; it is nil if the execution is not shown.
	Logged(text string, kind LogKind) *string
	Caller() string          // the calling goroutine's name
	ended()                  // the function given to T.Go has returned, on the calling goroutine
	joined()                 // T.Wait has returned, on the calling goroutine
	Noticed(m schedule.Mode) // the calling goroutine accessed the handle's state in a way whose order is observable
}

var _ testing.TB = (*T)(nil)

type LogKind uint8

const (
	LogNote LogKind = iota
	LogFailure
)

func newT(x *Engine, ex *Execution) *T {
	return &T{host: ex, name: x.Settings.Name}
}

// body runs f as the root goroutine, then the cleanups.
func (t *T) body(f func(*T)) {
	defer t.cleanups()
	f(t)
	t.returned = true
}

// gone reports whether the body has ended without returning, failing or skipping: by
// runtime.Goexit, since a panic ends the whole execution.
func (t *T) gone() bool { return !t.returned && !t.failed && !t.skipped }

func (t *T) cleanups() {
	for {
		done := t.host.Guard()
		n := len(t.cleanup)
		var f func()
		if n > 0 {
			f = t.cleanup[n-1]
			t.cleanup = t.cleanup[:n-1]
		}
		done()
		if f == nil {
			return
		}
		f()
	}
}

func (t *T) failures() []string { return t.errors }

// Go starts f in a goroutine that reports call by name. [T.Wait] waits for it. As with
// a sync.WaitGroup, the goroutines of one T must all be in the same bubble of
// testing/synctest, or in none: inside a bubble, use the T that [T.Run] provides.
func (t *T) Go(name string, f func()) {
	t.wg.Add(1)
	t.host.naming(name)
	go func() {
		defer t.done()
		f()
	}()
	t.host.named()
}

func (t *T) done() {
	unguard := t.host.Guard()
	t.host.ended()
	unguard()
	t.wg.Done()
}

// Wait waits for all goroutines started with [T.Go].
func (t *T) Wait() {
	t.wg.Wait()
	defer t.host.Guard()()
	t.host.joined()
}

// Run runs f as a named part of the body with its own clean-ups and its own failures,
// in a new goroutine, and waits for it. It reports whether f has not failed. If f
// fails, so does the body. f may start goroutines with its own T; that T's Wait waits
// for those only.
func (t *T) Run(name string, f func(*T)) bool {
	part := &T{host: t.host, name: t.name + "/" + name, parent: t}
	runner := &T{host: t.host}
	runner.Go(name, func() { part.body(f) })
	runner.Wait()
	if part.gone() {
		part.fail(name + " ended by runtime.Goexit, not by T.FailNow or T.SkipNow")
	}
	return !part.Failed()
}

// Name is the name of the test, or Config.Name.
func (t *T) Name() string { return t.name }

// Named sets the name of the calling goroutine in reports.
func (t *T) Named(name string) { t.host.called(name) }

// Context returns a context that is never cancelled: an execution ends when its
// goroutines have ended, and a cancellable context would add goroutines to the code
// that it is passed to.
func (t *T) Context() context.Context { return context.Background() }

// Helper does nothing: reports show whole stacks.
func (t *T) Helper() {}

// Cleanup registers f to be called after the body has returned, last first, on
// the body's goroutine.
func (t *T) Cleanup(f func()) {
	defer t.host.Guard()()
	t.host.Noticed(schedule.Changes)
	t.cleanup = append(t.cleanup, f)
}

// TempDir makes a directory that is removed after the execution. Its path is the same
// in every execution and, on Linux, in every process: programs hash and compare paths,
// so paths affect the course of an execution.
func (t *T) TempDir() string {
	defer t.host.Guard()()
	t.host.Noticed(schedule.Changes)
	dir, err := t.host.tempDir()
	if err != nil {
		panic(err) // as testing does: the body cannot go on
	}
	return dir
}

// Setenv is refused: the environment is shared by all executions.
func (t *T) Setenv(key, value string) { t.refuse("Setenv") }

// Chdir is refused: the working directory is shared by all executions.
func (t *T) Chdir(dir string) { t.refuse("Chdir") }

func (t *T) refuse(method string) {
	panic("explore: T." + method + " would change the whole process; do it before the exploration")
}

// Fail marks the check as failed and goes on.
func (t *T) Fail() { t.fail("failed") }

// FailNow marks the check as failed and ends the calling goroutine.
func (t *T) FailNow() { t.fail("failed"); runtime.Goexit() }

// Inconclusive says that the execution could not be judged, because something other
// than the tested code failed, such as its set-up. The exploration ends with the
// verdict [Unknown]. The calling goroutine continues.
func (t *T) Inconclusive(format string, args ...any) {
	text := fmt.Sprintf(format, args...) // before Guard, since it reads the body's memory
	defer t.host.Guard()()
	for t.parent != nil {
		t = t.parent
	}
	if t.unknown == "" {
		t.unknown = text
	}
}

// Failed reports whether a check has failed.
func (t *T) Failed() bool {
	defer t.host.Guard()()
	return t.failed
}

// Log adds a line to the calling goroutine's column in the report.
func (t *T) Log(args ...any) { t.log(sprintln(args)) }

// Logf is Log with a format.
func (t *T) Logf(format string, args ...any) { t.log(fmt.Sprintf(format, args...)) }

// Error is Log and Fail.
func (t *T) Error(args ...any) { t.fail(sprintln(args)) }

// Errorf is Logf and Fail.
func (t *T) Errorf(format string, args ...any) { t.fail(fmt.Sprintf(format, args...)) }

// Fatal is Log and FailNow.
func (t *T) Fatal(args ...any) { t.fail(sprintln(args)); runtime.Goexit() }

// Fatalf is Logf and FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.fail(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

// Skip is Log and SkipNow.
func (t *T) Skip(args ...any) { t.log(sprintln(args)); t.SkipNow() }

// Skipf is Logf and SkipNow.
func (t *T) Skipf(format string, args ...any) { t.log(fmt.Sprintf(format, args...)); t.SkipNow() }

// SkipNow ends the calling goroutine.
func (t *T) SkipNow() {
	done := t.host.Guard()
	t.skipped = true
	done()
	runtime.Goexit()
}

// Skipped reports whether the body has been skipped.
func (t *T) Skipped() bool {
	defer t.host.Guard()()
	return t.skipped
}

// Attr logs a key and a value.
func (t *T) Attr(key, value string) { t.log(key + " " + value) }

// Output returns a writer that logs what is written to it.
func (t *T) Output() io.Writer { return logWriter{t} }

type logWriter struct{ t *T }

func (w logWriter) Write(p []byte) (int, error) {
	w.t.log(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// ArtifactDir is [T.TempDir]: artifacts of executions are not kept.
func (t *T) ArtifactDir() string { return t.TempDir() }

func (t *T) log(text string) {
	defer t.host.Guard()()
	t.host.Logged(text, LogNote)
}

func (t *T) fail(text string) {
	text = shorten(text)
	defer t.host.Guard()()
	t.host.Logged(text, LogFailure)
	for t.failed = true; t.parent != nil; t.failed = true {
		t = t.parent
	}
	t.errors = append(t.errors, text)
}

func sprintln(args []any) string { return strings.TrimSuffix(fmt.Sprintln(args...), "\n") }

// Guard, naming, named, called, tempDir, Logged and Caller implement [Host].
func (ex *Execution) Guard() func() {
	own := control.Enter()
	return func() { control.Leave(own) }
}

func (ex *Execution) naming(name string) {
	own := control.Enter()
	if ex.promised == nil {
		ex.promised = make(map[uint32]promise)
	}
	ex.promised[control.Self()] = promise{name, uint32(ex.Control.Len())}
	control.Leave(own)
}

func (ex *Execution) named() {
	own := control.Enter()
	by := control.Self()
	p := ex.promised[by]
	ex.nameTask(ex.startedAfter(p.after, by), p.name)
	delete(ex.promised, by)
	control.Leave(own)
}

func (ex *Execution) called(name string) {
	own := control.Enter()
	ex.nameTask(control.Self(), name)
	control.Leave(own)
}

func (ex *Execution) tempDir() (string, error) { return ex.Engine.temp.Next() }

func (ex *Execution) Logged(text string, kind LogKind) *string {
	if ex.Trace == nil {
		return nil
	}
	return ex.Trace.Log(control.Self(), text, kind)
}

func (ex *Execution) Caller() string { return ex.Name(control.Self()) }

// HostOf returns the host of t, for code that records what its goroutines do.
func HostOf(t *T) Host { return t.host }

// FailAs reports several failed checks as one line in the columns of the report.
func FailAs(t *T, texts []string, line string) {
	defer t.host.Guard()()
	t.failed = true
	t.errors = append(t.errors, texts...)
	t.host.Logged(line, LogFailure)
}
