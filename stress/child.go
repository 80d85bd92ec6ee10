package stress

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/races"
)

// runChild runs a job in its own process and waits for it, for a bounded time.
func runChild(ctx context.Context, cfg Config, j job) (Result, error) {
	limit := j.Time + 2*j.Stall + cfg.StartUp
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...)
	cmd.Env = childEnv(append(os.Environ(), cfg.Env...), j.Dir)
	p, err := child.Start(bounded, cmd, child.Options{Wire: child.Lines, Grace: limit})
	if err != nil {
		return Result{}, fmt.Errorf("stress: start a child: %w", err)
	}
	var r Result
	_ = p.Send(j) // if it fails, the child's death says why
	answered := p.Receive(&r)
	exit := p.Close()
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("stress: %s: %w", j.Subject, err)
	}
	if exit.OK() && answered == nil && r.Subject == j.Subject {
		return r, nil
	}
	late := bounded.Err() != nil
	return postMortem(j, p.Pid(), death{exit: exit, words: exit.Words, late: late, limit: limit})
}

// childEnv returns the environment of a child: the parent's, with the runtime settings that it needs.
func childEnv(base []string, dir string) []string {
	env := slices.DeleteFunc(base, func(entry string) bool {
		return strings.HasPrefix(entry, "GORACE=") || strings.HasPrefix(entry, "GOTRACEBACK=")
	})
	return append(env, "GORACE="+raceOptions(dir), "GOTRACEBACK=single")
}

// death describes the end of a child that gave no answer.
type death struct {
	exit  fmt.Stringer // its exit state
	words string       // what it wrote to standard error
	late  bool         // it was killed because it did not end
	limit time.Duration
}

// postMortem returns the result of a child that died.
func postMortem(j job, pid int, d death) (Result, error) {
	rounds, raced, err := readProgress(j.Dir)
	if err != nil {
		return Result{}, err
	}
	r := Result{Subject: j.Subject, Campaign: j.Campaign, Rounds: rounds}
	if log := raceLogOf(j.Dir, pid); log.any() {
		if raced == 0 {
			raced = rounds
		}
		r.Findings = append(r.Findings, Finding{races.KindRace, raced, log.first()})
	}
	kind, message := d.cause()
	if kind == "" {
		r.Trouble = message
	} else {
		r.Findings = append(r.Findings, Finding{kind, rounds, message})
		r.Outcomes = append(r.Outcomes, Outcome{What: string(kind) + ": " + classOf(message), Grade: Forbidden, Means: "the process has died; how its other rounds ended is not known", Count: 1})
		r.crashed = !d.late
	}
	return r, nil
}

// cause finds the cause of death in a child's output. The kind is empty if the output does not show it.
func (d death) cause() (races.Kind, string) {
	if d.late {
		return races.KindDeadlock, fmt.Sprintf("killed after %v without an answer", d.limit)
	}
	for line := range strings.Lines(d.words) {
		line = strings.TrimSuffix(strings.TrimSpace(line), " [recovered, repanicked]") // by sync.WaitGroup.Go
		switch {
		case strings.HasPrefix(line, "fatal error: all goroutines are asleep"):
			return races.KindDeadlock, line
		case strings.HasPrefix(line, "fatal error: "):
			return races.KindFatal, line
		case strings.HasPrefix(line, "panic: "):
			return races.KindPanic, line
		}
	}
	words := child.FirstLine(d.words)
	if words == "" {
		words = "without a word"
	}
	return "", fmt.Sprintf("the child gave no answer and ended with %v: %s", d.exit, words)
}

// tempIn makes a folder for one round in a job's folder.
func tempIn(dir string) (string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "rounds"), 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(filepath.Join(dir, "rounds"), "")
}
