package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/races"
)

// callerEnv holds a [part], as JSON. A process that has it acts as one caller of its script.
const callerEnv = "JACQUARD_STEPS_CALLER"

// A part says which caller a process is, and what the process needs to act as it.
type part struct {
	Act, Caller, First int
	Path               string
	Given              *given
}

// A reply is an answer in the form in which a process sends it.
type reply struct {
	Verb, Arg, ID, Err string
	N                  int
}

// killing runs a script in rounds. In each round every caller is a process, all make their calls at
// once, and one is killed meanwhile; then the musts are checked against the file that is left. A
// violation cannot be replayed, because the processes are real.
func (p *plot) killing(ctx context.Context, s Script, prepared []byte) (Outcome, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	rounds := max(1, p.schedulesOf(s)/25)
	for round := range rounds {
		wrong, err := p.killOnce(ctx, s, prepared, rng)
		if err != nil {
			return Outcome{}, err
		}
		if wrong != "" {
			return Outcome{Verdict: explore.Violated.String(), Kind: string(races.KindCheck), Message: wrong, Summary: fmt.Sprintf("round %d of %d, with real processes", round+1, rounds)}, nil
		}
	}
	return Outcome{Verdict: explore.Holds.String(), Summary: fmt.Sprintf("%d rounds with real processes, one of them killed in each", rounds)}, nil
}

// killOnce runs one round and returns the first must that does not hold.
func (p *plot) killOnce(ctx context.Context, s Script, prepared []byte, rng *rand.Rand) (wrong string, err error) {
	dir, err := os.MkdirTemp("", "jacquard-steps-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary folder
	path := filepath.Join(dir, "plans.db")
	if err := os.WriteFile(path, prepared, 0o600); err != nil {
		return "", err
	}
	tasks, err := p.processes(ctx, s, path, rng)
	if err != nil {
		return "", err
	}
	w, err := p.serve(ctx, newWorld(p.String()), []string{"sqlite:///" + path}, false)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	left := &scene{plot: p, ctx: ctx, world: w, tasks: tasks}
	for _, m := range p.musts {
		switch wrong, err := judge(left, m); {
		case err != nil:
			return "", err
		case wrong != nil:
			return fmt.Sprintf("%s: %v", m.text, wrong), nil
		}
	}
	return "", nil
}

// processes starts a process for each caller, starts their calls when all are ready, kills one
// caller of each act that is to lose one, and returns the answers of the others.
func (p *plot) processes(ctx context.Context, s Script, path string, rng *rand.Rand) (tasks []*task, err error) {
	var all []*child.Process
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	var doomed []int
	n := 0
	for i, a := range p.acts {
		for j, c := range a.callers {
			one, err := startCaller(ctx, s, part{i, j, n, path, p.given})
			if err != nil {
				return nil, err
			}
			n += len(a.calls)
			all, tasks = append(all, one), append(tasks, &task{caller: c, calls: a.calls, after: a.after})
			if a.killed && j == len(a.callers)-1 {
				doomed = append(doomed, len(all)-1)
			}
		}
	}
	for _, c := range all {
		if err := c.Receive(new(string)); err != nil {
			return nil, fmt.Errorf("a caller's process did not begin: %w", err)
		}
	}
	for _, c := range all {
		if err := c.Send("go"); err != nil {
			return nil, err
		}
	}
	for _, i := range doomed {
		time.Sleep(time.Duration(rng.IntN(1<<rng.IntN(7))) * 100 * time.Microsecond)
		all[i].Kill()
	}
	for i, c := range all {
		tasks[i].answers = received(c)
	}
	return tasks, nil
}

func startCaller(ctx context.Context, s Script, what part) (*child.Process, error) {
	script, err1 := json.Marshal(s)
	caller, err2 := json.Marshal(what)
	self, err3 := os.Executable()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), scriptEnv+"="+string(script), callerEnv+"="+string(caller))
	return child.Start(ctx, cmd, child.Options{Wire: child.Lines})
}

// received are the answers of a process: none, or not all, if it was killed.
func received(c *child.Process) (all []answer) {
	for {
		var r reply
		if c.Receive(&r) != nil {
			return all
		}
		a := answer{call: call{r.Verb, r.Arg}, n: r.N, id: r.ID}
		if r.Err != "" {
			a.err = errors.New(r.Err)
		}
		all = append(all, a)
	}
}

// call makes one caller's calls, when it is told to go.
func (p *plot) call(ctx context.Context, what part, in io.Reader, out io.Writer) (err error) {
	p.given = what.Given
	w, err := p.serve(ctx, newWorld(p.String()), []string{"sqlite:///" + what.Path}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	conn := child.Lines(in, out)
	if err := conn.Send("ready"); err != nil {
		return err
	}
	if err := conn.Receive(new(string)); err != nil {
		return err
	}
	a := p.acts[what.Act]
	for i, c := range a.calls {
		got, err := w.do(ctx, c, asker{by: a.callers[what.Caller].name, n: what.First + i})
		if err != nil {
			return err
		}
		r := reply{Verb: c.verb, Arg: c.arg, ID: got.id, N: got.n}
		if got.err != nil {
			r.Err = got.err.Error()
		}
		if err := conn.Send(r); err != nil {
			return err
		}
	}
	return nil
}
