package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
)

// children are the processes of this one that run the binary.
func children(t *testing.T, binary string) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // it is over
		}
		var pid, parent int
		var state rune
		name := strings.LastIndexByte(string(text), ')')
		if _, err := fmt.Sscanf(string(text[name+1:]), " %c %d", &state, &parent); err != nil || parent != os.Getpid() {
			continue
		}
		if _, err := fmt.Sscan(string(text), &pid); err != nil {
			t.Fatal(err)
		}
		if exe, err := os.Readlink(filepath.Join(filepath.Dir(stat), "exe")); err == nil && exe == binary {
			pids = append(pids, pid)
		}
	}
	return pids
}

// struck judges subjects, and sends the worker of the first a signal at its first
// progress.
func struck(t *testing.T, p *pool, signal syscall.Signal, ids ...string) verdicts {
	t.Helper()
	v := make(verdicts, len(ids))
	jobs := make([]job, len(ids))
	for i, id := range ids {
		v[i].Subject = subject(t, id)
		jobs[i] = job{Subject: id, Seed: 1}
	}
	strike := sync.OnceFunc(func() {
		pids := children(t, p.binary)
		if len(pids) == 0 {
			t.Error("there is no worker to send a signal to")
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, signal); err != nil {
				t.Error(err)
			}
		}
	})
	err := p.do(t.Context(), jobs, func(i, _ int) {
		if i == 0 {
			strike()
		}
	}, func(i int, a answer) { v[i].answer = a })
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A controlled process that is killed in the middle of a job gives a cell that
// says so, and the table names the subject; the others are judged all the same.
func TestWorkerKilled(t *testing.T) {
	v := struck(t, newTestPool(t), syscall.SIGKILL, "R6/ours", "R2/suggested")
	if want := "the process under control died: signal: killed"; v[0].answer.Error != want || v[0].right() {
		t.Errorf("got %+v, want %q", v[0].answer, want)
	}
	if !v[1].right() {
		t.Errorf("the next subject: got %s, want %s", v[1].got(), v[1].wanted())
	}
	var out bytes.Buffer
	if err := printTable(&out, races.All(), v, 10, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"! error", "WRONG R6/ours: got an error: the process under control died: signal: killed; want holds"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// One that stands still is not waited for.
func TestWorkerStopped(t *testing.T) {
	p := newTestPool(t)
	p.silence = 3 * time.Second
	v := struck(t, p, syscall.SIGSTOP, "R6/ours")
	if want := "the process under control was killed: it said nothing for 3s"; v[0].answer.Error != want {
		t.Errorf("got %+v, want %q", v[0].answer, want)
	}
}
