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

// Options say how a child is run. The zero value is for one that has no messages,
// keeps its output to itself, and is killed when its context ends.
type Options struct {
	// Wire is how messages travel, [Lines] for example; nil is not at all. They do
	// so over the standard input and output, as far as the command has not set
	// those, unless Beside or From and To say otherwise.
	Wire Wire
	// Beside has them travel over two pipes of their own: see [Beside].
	Beside bool
	// From and To are paths for pipes: that of messages from the child, and that of
	// those to it, if it gets any. A program can open them that is not started from
	// here itself but by a debugger, for example.
	From, To string
	// Prompt has a thread wait for each message, which is then heard at once even
	// while all processors are busy.
	Prompt bool
	// Silence is how long [Process.Receive] waits. 0 is without a bound.
	Silence time.Duration
	// Ask is the signal that asks a child to end for a cause. Nil, also as a
	// function, is to kill it at once.
	Ask func(cause error) os.Signal
	// Grace is how long it has from then on, or from [Process.Close]. 0 is 5 s.
	Grace time.Duration
	// Kin says that the child belongs to the process group of this process. Any
	// other is the head of a group, which ends with it.
	Kin bool
	// Heir says that the child is not killed when this process dies. It finds that
	// its messages end, puts its files away and ends by itself.
	Heir bool
	// Words keep what it writes to its standard error, unless the command says
	// where that goes. Nil is some that keep 64 KiB.
	Words *Words
	// Output says that they keep its standard output too.
	Output bool
}

// How long a child has to end, and how long others may hold its files once it has.
const (
	grace = 5 * time.Second
	hold  = 2 * time.Second
)

// A Process is a child that was started. Its methods may be called by several
// goroutines, but messages are for one that sends and one that receives.
type Process struct {
	*Conn
	cmd     *exec.Cmd
	o       Options
	in      *os.File   // its messages; nil if there are none
	out     *os.File   // those to it; the same
	theirs  []*os.File // the other ends, which are the child's
	kept    *os.File   // keeps a named pipe open until the child is over; nil if there is none
	unwatch func() bool
	dead    atomic.Bool   // whoever still holds its files is another process
	ended   chan struct{} // closed when it is over, and its last words are whole
	err     error         // of waiting for it; readable then

	mu    sync.Mutex
	cause error       // why it is to end; guarded by mu
	alarm *time.Timer // kills it; nil if it was not asked to end; guarded by mu
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
		_ = shut(f) // the process has its own
	}
	if err != nil {
		return nil, errors.Join(err, shut(p.in), shut(p.out), shut(p.kept), shut(words))
	}
	if o.Prompt {
		_, _ = p.in.Fd(), p.out.Fd() // which makes them block
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

// open makes the pipes. words is where its last words come from, if they do.
func (p *Process) open() (words *os.File, err error) {
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	var from, to *os.File // the child's
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

// name makes the pipes that have names. Nobody has to wait for the child to open
// them, and messages from it end with it.
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

// live starts the process and waits for its end. The thread that does stays this
// goroutine's: on Linux the child dies with it.
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
			_, _ = io.Copy(p.o.Words, words) // what cannot be read was not said
			_ = words.Close()
		})
	}
	p.err = p.cmd.Wait()
	if !p.o.Kin {
		_ = killGroup(p.cmd.Process) // nothing that it has started stays
	}
	p.dead.Store(true)
	_ = shut(p.kept) // nothing was written to it
	wait(p.in)
	wait(words)
	saved.Wait()
	close(p.ended)
}

// wait bounds how long others than the child, which is over, may hold the other end
// of a pipe.
func wait(f *os.File) {
	if errors.Is(f.SetReadDeadline(time.Now().Add(hold)), os.ErrNoDeadline) {
		time.AfterFunc(hold, func() { _ = f.Close() })
	}
}

// messages are what the child says.
type messages struct{ *Process }

// Read reads all that the child has said, however late.
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

// Pid is the child's number.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Bound is [Options].Silence from now on.
func (p *Process) Bound(silence time.Duration) { p.o.Silence = silence }

// Receive is [Conn.Receive]. A child that says nothing for too long is ended: the
// cause of its [Exit] is a [Silent].
func (p *Process) Receive(v any) error {
	if d := p.o.Silence; d > 0 {
		defer time.AfterFunc(d, func() { p.End(Silent(d)) }).Stop()
	}
	return p.Conn.Receive(v)
}

// End asks the child to end, and kills it if it has not within its grace. What
// counts is the first cause.
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
		_ = p.kill() // it may be over
		return
	}
	p.alarm = time.AfterFunc(p.o.Grace, func() { _ = p.kill() })
}

// Kill kills the child. It reports whether there was one to kill.
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

// Cause is why it was ended from here; nil if it was not.
func (p *Process) Cause() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

// Done is closed when the child is over.
func (p *Process) Done() <-chan struct{} { return p.ended }

func (p *Process) isOver() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// HangUp ends the messages to the child, which may be a reason for it to end.
func (p *Process) HangUp() { _ = shut(p.out) } // it may be closed

// Wait waits for the end of the child. One whose messages nobody receives may never
// come to it.
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

// Close hangs up, waits for the child's end for as long as its grace, and then
// kills it. What it has not yet been heard to say is lost.
func (p *Process) Close() Exit {
	p.HangUp()
	if p.in != nil {
		go func() { _, _ = io.Copy(io.Discard, messages{p}) }() // else it might wait for somebody to hear it
	}
	defer time.AfterFunc(p.o.Grace, func() { p.Kill() }).Stop()
	e := p.Wait()
	_ = shut(p.in) // it may be closed
	return e
}
