package child

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how a child is run. The zero value is for a child without messages, which
// is killed when its context ends.
type Options struct {
	// Wire is the encoding of messages, for example [Lines]; nil means that there are
	// none. They use the standard input and output, unless the command has set those,
	// or unless Beside or From and To are set.
	Wire Wire
	// Beside uses two separate pipes for messages: see [Beside].
	Beside bool
	// From and To are paths for named pipes: for messages from the child, and for those
	// to it, if there are any. They serve programs that are not started here directly,
	// but for example by a debugger.
	From, To string
	// Prompt blocks a thread in each wait for a message, so that it is received at once
	// even while all processors are busy.
	Prompt bool
	// Silence is how long [Process.Receive] waits. 0 means without a bound.
	Silence time.Duration
	// Ask returns the signal that asks the child to end for a cause. If Ask or its
	// result is nil, the child is killed at once.
	Ask func(cause error) os.Signal
	// Grace is how long the child has to end after Ask or [Process.Close]. 0 means 5 s.
	Grace time.Duration
	// Kin leaves the child in the process group of this process. Otherwise it is the
	// head of a group, whose processes end with it.
	Kin bool
	// Heir says that the child is not killed when this process dies. It notices the end
	// of its messages, removes its files and ends by itself.
	Heir bool
	// Words keeps what the child writes to its standard error, unless the command
	// redirects that. Nil means Words that keep 64 KiB.
	Words *Words
	// Output says that Words keeps the child's standard output too.
	Output bool
}

// How long a child may take to end, and how long others may hold its files after that.
const (
	grace = 5 * time.Second
	hold  = 2 * time.Second
)

// A Process is a child that was started. Its methods are safe for concurrent use,
// except that only one goroutine may send messages and one may receive them.
type Process struct {
	*Conn
	cmd     *exec.Cmd
	o       Options
	in      *os.File   // messages from the child; nil if there are none
	out     *os.File   // messages to the child; nil if there are none
	theirs  []*os.File // the child's ends of the pipes
	kept    *os.File   // keeps a named pipe open until the child has ended; nil if there is none
	unwatch func() bool
	dead    atomic.Bool   // the child has ended; its files may still be held by other processes
	ended   chan struct{} // closed when the child has ended and its last words are complete
	err     error         // of waiting for it; may be read once ended is closed

	mu    sync.Mutex
	cause error       // why this process ends it; guarded by mu
	alarm *time.Timer // kills it after its grace; nil if it was not asked to end; guarded by mu
}

// Start starts cmd, which must not have been started. The process ends with ctx.
func Start(ctx context.Context, cmd *exec.Cmd, o Options) (*Process, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if o.Grace == 0 {
		o.Grace = grace
	}
	if o.Words == nil {
		o.Words = &Words{Limit: 32 << 10}
	}
	p := &Process{cmd: cmd, o: o, ended: make(chan struct{})}
	words, err := p.open()
	started := make(chan error)
	if err == nil {
		go p.live(started, words)
		err = <-started
	}
	for _, f := range p.theirs {
		_ = shut(f) // the child has its own copy
	}
	if err != nil {
		return nil, errors.Join(err, shut(p.in), shut(p.out), shut(p.kept), shut(words))
	}
	if o.Prompt {
		_, _ = p.in.Fd(), p.out.Fd() // as a side effect, Fd makes them blocking
	}
	if o.Wire != nil {
		p.Conn = o.Wire(messages{p}, p.out)
	}
	p.unwatch = context.AfterFunc(ctx, func() { p.End(context.Cause(ctx)) })
	return p, nil
}

func shut(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// open makes the pipes. words is the pipe for last words, if they are kept.
func (p *Process) open() (words *os.File, err error) {
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	var from, to *os.File // the child's ends
	switch {
	case p.o.Wire == nil:
	case p.o.From != "":
		err = p.name()
	case p.o.Beside:
		from, p.out = pipe()
		p.in, to = pipe()
		p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, from, to)
	default:
		if p.cmd.Stdin == nil {
			from, p.out = pipe()
			p.cmd.Stdin = from
		}
		if p.cmd.Stdout == nil {
			p.in, to = pipe()
			p.cmd.Stdout = to
		}
	}
	p.theirs = append(p.theirs, from, to)
	if p.cmd.Stderr == nil {
		words, to = pipe()
		p.cmd.Stderr, p.theirs = to, append(p.theirs, to)
		if p.o.Output {
			p.cmd.Stdout = to
		}
	}
	return words, err
}

// name makes the named pipes. This process need not wait for the child to open them,
// and messages from the child end with it.
func (p *Process) name() (err error) {
	if p.kept, err = makePipe(p.o.From); err != nil {
		return err
	}
	if p.in, err = os.Open(p.o.From); err != nil || p.o.To == "" {
		return err
	}
	p.out, err = makePipe(p.o.To)
	return err
}

// live starts the process and waits for its end. It stays locked to its thread, because
// on Linux the child dies with that thread.
func (p *Process) live(started chan<- error, words *os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	place(p.cmd, !p.o.Kin, !p.o.Heir)
	p.cmd.WaitDelay = hold
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	var saved sync.WaitGroup
	if words != nil {
		saved.Go(func() {
			_, _ = io.Copy(p.o.Words, words) // a failed read only loses words
			_ = words.Close()
		})
	}
	p.err = p.cmd.Wait()
	if !p.o.Kin {
		_ = killGroup(p.cmd.Process) // kills the processes that it has started
	}
	p.dead.Store(true)
	_ = shut(p.kept) // this end was never written to
	wait(p.in)
	wait(words)
	saved.Wait()
	close(p.ended)
}

// wait bounds how long processes other than the child, which has ended, may keep a pipe
// open by holding its other end.
func wait(f *os.File) {
	if errors.Is(f.SetReadDeadline(time.Now().Add(hold)), os.ErrNoDeadline) {
		time.AfterFunc(hold, func() { _ = f.Close() })
	}
}

// messages reads the child's messages.
type messages struct{ *Process }

// Read reads everything that the child has written, however late.
func (m messages) Read(b []byte) (int, error) {
	if m.dead.Load() {
		wait(m.in)
	}
	n, err := m.in.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// Pid returns the child's process ID.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Bound sets [Options].Silence for later calls of Receive.
func (p *Process) Bound(silence time.Duration) { p.o.Silence = silence }

// Receive is [Conn.Receive]. It ends a child that says nothing for too long: the cause
// of its [Exit] is a [Silent].
func (p *Process) Receive(v any) error {
	if d := p.o.Silence; d > 0 {
		defer time.AfterFunc(d, func() { p.End(Silent(d)) }).Stop()
	}
	return p.Conn.Receive(v)
}

// End asks the child to end, and kills it if it has not ended within its grace. Only
// the first cause counts.
func (p *Process) End(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause != nil || p.isOver() {
		return
	}
	p.cause = cause
	var ask os.Signal
	if p.o.Ask != nil {
		ask = p.o.Ask(cause)
	}
	if ask == nil || p.cmd.Process.Signal(ask) != nil {
		_ = p.kill() // fails if it has ended already
		return
	}
	p.alarm = time.AfterFunc(p.o.Grace, func() { _ = p.kill() })
}

// Kill kills the child. It reports whether the child was still running.
func (p *Process) Kill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.isOver() && p.kill() == nil
}

func (p *Process) kill() error {
	if p.o.Kin {
		return p.cmd.Process.Kill()
	}
	return killGroup(p.cmd.Process)
}

// Cause returns why this process ended the child; nil if it did not.
func (p *Process) Cause() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// Done returns a channel that is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.ended }

func (p *Process) isOver() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// fails harmlessly if closed already
func (p *Process) HangUp() { _ = shut(p.out) } // it may be closed

// Wait waits for the end of the child. A child whose messages are not received may
// never end.
func (p *Process) Wait() Exit {
	<-p.ended
	p.unwatch()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.alarm != nil {
		p.alarm.Stop()
	}
	e := Exit{State: p.cmd.ProcessState, Cause: p.cause, Words: p.o.Words.String()}
	if e.State == nil {
		e.Err = p.err
	}
	return e
}

// Close hangs up, waits for the child's end up to its grace, and then kills it.
// Messages that were not received are lost.
func (p *Process) Close() Exit {
	p.HangUp()
	if p.in != nil {
		go func() { _, _ = io.Copy(io.Discard, messages{p}) }() // a full pipe would block the child
	}
	defer time.AfterFunc(p.o.Grace, func() { p.Kill() }).Stop()
	e := p.Wait()
	_ = shut(p.in) // fails harmlessly if closed already
	return e
}
