package stress

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// runChild runs a job in a process of its own and waits for it, for a bounded time.
func runChild(ctx context.Context, cfg Config, j job) (Result, error) {
	line, err := json.Marshal(j)
	if err != nil {
		return Result{}, fmt.Errorf("stress: %w", err)
	}
	limit := j.Time + 2*j.Stall + cfg.StartUp
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	child := exec.CommandContext(bounded, cfg.Command[0], cfg.Command[1:]...)
	child.Env = childEnv(append(os.Environ(), cfg.Env...), j.Dir)
	child.Stdin = bytes.NewReader(append(line, '\n'))
	answer, words := &head{limit: 1 << 20}, &head{limit: 1 << 16}
	child.Stdout, child.Stderr = answer, words
	child.WaitDelay = time.Second
	if err := child.Start(); err != nil {
		return Result{}, fmt.Errorf("stress: start a child: %w", err)
	}
	exit := child.Wait()
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("stress: %s: %w", j.Subject, err)
	}
	var r Result
	if exit == nil && json.Unmarshal(answer.kept.Bytes(), &r) == nil && r.Subject == j.Subject {
		return r, nil
	}
	late := bounded.Err() != nil
	return postMortem(j, child.Process.Pid, death{exit: exit, words: words.kept.String(), late: late, limit: limit})
}

// childEnv is the environment of a child: the parent's, with settings of the runtime that it needs.
func childEnv(base []string, dir string) []string {
	env := slices.DeleteFunc(base, func(entry string) bool {
		return strings.HasPrefix(entry, "GORACE=") || strings.HasPrefix(entry, "GOTRACEBACK=")
	})
	return append(env, "GORACE="+raceOptions(dir), "GOTRACEBACK=single")
}

// death is how a child ended that gave no answer.
type death struct {
	exit  error  // from waiting for it
	words string // what it wrote to standard error
	late  bool   // it was killed because it did not end
	limit time.Duration
}

// postMortem is the result of a child that died.
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
	}
	return r, nil
}

// cause reads the last words of a child. The kind is empty if they do not tell.
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
	words := strings.TrimSpace(d.words)
	if words == "" {
		words = "without a word"
	}
	return "", fmt.Sprintf("the child gave no answer and ended with %v: %s", d.exit, firstLine(words))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// head keeps the beginning of what is written to it: a child may write without end.
type head struct {
	kept  bytes.Buffer // not embedded: its ReadFrom would know no limit
	limit int
}

// Write keeps what there is room for. It never fails, so that the child is not stopped by it.
func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.kept.Len(); room > 0 {
		h.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// tempIn makes a folder for one round in a job's folder.
func tempIn(dir string) (string, error) {
	if err := os.MkdirAll(filepath.Join(dir, "rounds"), 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(filepath.Join(dir, "rounds"), "")
}
