package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// impostor is a pool whose workers run a shell script.
func impostor(t *testing.T, script string) *pool {
	t.Helper()
	dir := t.TempDir()
	binary := filepath.Join(dir, "worker")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return &pool{binary: binary, dir: dir, workers: 1, silence: time.Minute}
}

// answers are those to the jobs, in their order.
func answers(t *testing.T, p *pool, jobs ...job) []answer {
	t.Helper()
	all := make([]answer, len(jobs))
	err := p.do(t.Context(), jobs, func(int, int) {}, func(i int, a answer) { all[i] = a })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A worker that breaks down costs its own job, and says how; the next job gets
// a new one.
func TestWorkerBreaksDown(t *testing.T) {
	const good = `echo '{"progress":1}'; echo '{"outcome":{"verdict":"holds"}}'`
	for _, c := range []struct{ name, script, want string }{
		{"crash", `echo 'fatal error: weft' >&2; echo 'goroutine 1' >&2; exit 2`, "the process under control died: exit status 2: fatal error: weft"},
		{"signal", `kill -9 $$`, "the process under control died: signal: killed"},
		{"exit", `exit 0`, "the process under control died: exit status 0"},
		{"chatter", `echo 'here I am'; exec sleep 1000`, `the process under control was killed: it said "here I am\n", want an answer in JSON`},
		{"half an answer", `printf '{"outcome":'; exit 0`, "the process under control died: exit status 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := impostor(t, "read job\ncase $job in *bad*) "+c.script+" ;; *) "+good+" ;; esac\nread job\n")
			got := answers(t, p, job{Subject: "bad"}, job{Subject: "good"})
			if got[0].Outcome != nil || got[0].Error != c.want {
				t.Errorf("got %+v, want %q", got[0], c.want)
			}
			if got[1].Outcome == nil || got[1].Outcome.Verdict != "holds" {
				t.Errorf("the next job: got %+v, want an outcome", got[1])
			}
		})
	}
}

func TestWorkerSaysNothing(t *testing.T) {
	p := impostor(t, "exec sleep 1000\n")
	p.silence = 50 * time.Millisecond
	got := answers(t, p, job{Subject: "any"})
	if want := "the process under control was killed: it said nothing for 50ms"; got[0].Error != want {
		t.Errorf("got %+v, want %q", got[0], want)
	}
}

func TestWorkerCannotStart(t *testing.T) {
	p := &pool{binary: filepath.Join(t.TempDir(), "none"), workers: 2, silence: time.Minute}
	err := p.do(t.Context(), []job{{}, {}}, nil, nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "worker: ") {
		t.Errorf("got %v, want %v", err, os.ErrNotExist)
	}
}

// The end of the context is the end of the workers, whatever they do.
func TestWorkersEndWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := impostor(t, "read job\necho '{\"progress\":1}'\nexec sleep 1000\n")
	p.workers = 2
	err := p.do(ctx, []job{{}, {}, {}}, func(int, int) { cancel() }, func(int, answer) { t.Error("got an answer, want none") })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
