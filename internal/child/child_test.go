package child_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/internal/child"
)

// roleVar names the variable that makes this test binary a child, and says what the child does.
const roleVar = "JACQUARD_CHILD_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		roles[role]()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// A note is a test message.
type note struct {
	Number int
	Text   string
}

// roles maps roleVar to the behaviour of a child.
var roles = map[string]func(){
	"echo":       func() { echo(child.Lines(os.Stdin, os.Stdout)) },
	"echoGob":    func() { echo(child.Gob(os.Stdin, os.Stdout)) },
	"echoBeside": func() { fmt.Println("it chats"); echo(child.Beside(child.Gob)) },
	"cut": func() {
		fmt.Println(`{"Number":1}`)
		fmt.Print(`{"Number":`)
		fail("fatal error: weft")
	},
	"cutGob": func() {
		var b bytes.Buffer
		if err := child.Gob(nil, &b).Send(note{Text: "selvedge"}); err != nil {
			fail(err)
		}
		_, _ = os.Stdout.Write(b.Bytes()[:b.Len()-1]) // fails if the parent misses it
		fail("fatal error: weft")
	},
	"chat":   func() { fmt.Println("here I am"); fmt.Println(`{"Number":2}`) },
	"babble": func() { fmt.Print(strings.Repeat("weft\n", 1<<20)) },
	"mute":   func() { time.Sleep(time.Hour) },
	"loud": func() {
		for i := range 100_000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
	},
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, why)
	fmt.Fprintln(os.Stderr, "goroutine 1")
	os.Exit(2)
}

// echo sends back what it receives until its parent hangs up.
func echo(c *child.Conn) {
	for {
		var n note
		if err := c.Receive(&n); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			fail(err)
		}
		n.Number++
		if err := c.Send(n); err != nil {
			fail(err)
		}
	}
}

// command returns a command that runs this binary in a role.
func command(role string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	return cmd
}

func start(t *testing.T, role string, o child.Options) *child.Process {
	t.Helper()
	p, err := child.Start(t.Context(), command(role), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); p.Close() })
	return p
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		role string
		o    child.Options
	}{
		{"echo", child.Options{Wire: child.Lines}},
		{"echoGob", child.Options{Wire: child.Gob}},
		{"echoBeside", child.Options{Wire: child.Gob, Beside: true, Output: true}},
		{"echoBeside", child.Options{Wire: child.Gob, Beside: true, Prompt: true, Kin: true, Heir: true}},
	} {
		p := start(t, c.role, c.o)
		huge := strings.Repeat("x", 16<<20)
		for i, text := range []string{"", "weft", huge, "warp\nand woof"} {
			got := note{}
			sent := make(chan error, 1)
			go func() { sent <- p.Send(note{i, text}) }()
			if err := p.Receive(&got); err != nil || got != (note{i + 1, text}) {
				t.Fatalf("%s: got %d, %.20q and %v, want %d, %.20q", c.role, got.Number, got.Text, err, i+1, text)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
		}
		if e := p.Close(); !e.OK() || c.o.Output && e.Words != "it chats\n" {
			t.Errorf("%s: got %v and %q, want it to end well when its parent hangs up", c.role, e, e.Words)
		}
		if e := p.Close(); !e.OK() {
			t.Errorf("%s: the second time: got %v, want the same", c.role, e)
		}
	}
}

func TestDeathInTheMiddleOfAMessage(t *testing.T) {
	for _, c := range []struct {
		role  string
		o     child.Options
		whole int
	}{{"cut", child.Options{Wire: child.Lines}, 1}, {"cutGob", child.Options{Wire: child.Gob}, 0}} {
		p := start(t, c.role, c.o)
		var n note
		for range c.whole {
			if err := p.Receive(&n); err != nil || n.Number != 1 {
				t.Errorf("%s: got %+v and %v, want the message before", c.role, n, err)
			}
		}
		if err := p.Receive(&n); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: got %+v and %v, want %v", c.role, n, err, io.ErrUnexpectedEOF)
		}
		e := p.Close()
		if e.OK() || e.Cause != nil || e.String() != "exit status 2" || e.Words != "fatal error: weft\ngoroutine 1\n" || child.FirstLine(e.Words) != "fatal error: weft" {
			t.Errorf("%s: got %v, cause %v, %q", c.role, e, e.Cause, e.Words)
		}
	}
}

// Lines that the program under test writes are distinguished from messages.
func TestGarbled(t *testing.T) {
	p := start(t, "chat", child.Options{Wire: child.Lines})
	var n note
	var garbled *child.Garbled
	if err := p.Receive(&n); !errors.As(err, &garbled) || string(garbled.Line) != "here I am\n" {
		t.Errorf("got %v, want a garbled line", err)
	}
	if err := p.Receive(&n); err != nil || n.Number != 2 {
		t.Errorf("got %+v and %v, want the message behind it", n, err)
	}
	if err := p.Receive(&n); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want %v", err, io.EOF)
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestEndlessMessage(t *testing.T) {
	if err := child.Lines(endless{}, nil).Receive(new(note)); !errors.Is(err, child.ErrTooLong) {
		t.Errorf("got %v, want %v", err, child.ErrTooLong)
	}
}

func TestSilence(t *testing.T) {
	p := start(t, "mute", child.Options{Wire: child.Lines, Silence: time.Minute})
	p.Bound(20 * time.Millisecond)
	if err := p.Receive(new(note)); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want %v", err, io.EOF)
	}
	var silent child.Silent
	if e := p.Close(); !errors.As(e.Cause, &silent) || e.OK() || silent.Error() != "it said nothing for 20ms" {
		t.Errorf("got %v and cause %v, want that it said nothing", e, e.Cause)
	}
}

// A child whose messages are not read ends all the same.
func TestBabble(t *testing.T) {
	p := start(t, "babble", child.Options{Wire: child.Lines, Grace: time.Hour})
	if e := p.Close(); !e.OK() {
		t.Errorf("got %v, want it to end well", e)
	}
}

func TestEndOfContext(t *testing.T) {
	cause := errors.New("weft")
	ctx, cancel := context.WithCancelCause(t.Context())
	p, err := child.Start(ctx, command("mute"), child.Options{Wire: child.Lines})
	if err != nil {
		t.Fatal(err)
	}
	cancel(cause)
	<-p.Done()
	if e := p.Close(); e.Cause != cause || e.OK() {
		t.Errorf("got %v and cause %v, want %v", e, e.Cause, cause)
	}
	if _, err := child.Start(ctx, command("mute"), child.Options{Wire: child.Lines}); err != cause {
		t.Errorf("got %v, want %v", err, cause)
	}
	if p.Kill() {
		t.Error("got a process to kill that is over")
	}
}

func TestCannotStart(t *testing.T) {
	for _, o := range []child.Options{{}, {Wire: child.Lines}, {Wire: child.Gob, Beside: true}, {Output: true}, {Kin: true}} {
		if _, err := child.Start(t.Context(), exec.Command("./none"), o); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v, want %v", err, os.ErrNotExist)
		}
	}
}

func TestWords(t *testing.T) {
	p := start(t, "loud", child.Options{Words: &child.Words{Limit: 100}})
	e := p.Close()
	if !e.OK() || len(e.Words) > 250 {
		t.Errorf("got %v and %d bytes, want at most 250", e, len(e.Words))
	}
	for _, want := range []string{"line 0\n", "bytes left out ...\n", "line 99999\n"} {
		if !strings.Contains(e.Words, want) {
			t.Errorf("no %q in %q", want, e.Words)
		}
	}
	all := &child.Words{Limit: 1 << 40}
	fmt.Fprint(all, "weft ")
	fmt.Fprint(all, "warp")
	if all.String() != "weft warp" {
		t.Errorf("got %q", all)
	}
}

// The same test in a fresh process gets the user's arguments, but not package
// testing's.
func TestAgain(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	os.Args = []string{args[0], "-test.v", "--test.run=other", "-seed=7", "weft"}
	cmd, err := child.Again("^TestX$/^a$")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(cmd.Args[1:], " "), "-test.run=^TestX$/^a$ -test.count=1 -test.timeout=0 -seed=7 weft"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
