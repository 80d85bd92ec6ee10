package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/races"
)

// A row is what came of one target.
type row struct {
	target       string
	want         races.Want
	inputs       int
	interesting  int // inputs that covered something new
	interleaving int // that differ by the order of operations that conflict; 0 if nobody counted
	found        string
	replay       string
}

// What a fuzzing test binary writes.
var (
	progress = regexp.MustCompile(`fuzz: elapsed: .*execs: (\d+) .*new interesting: (\d+)`)
	written  = regexp.MustCompile(`Failing input written to (\S+)`)
	message  = regexp.MustCompile(`(?m)^\s+(?:violated: |unknown: |\S+_test\.go:\d+: unknown|\S+_test\.go:\d+: )`)
	replay   = regexp.MustCompile(`replay: (.*)`)
	late     = regexp.MustCompile(`--- FAIL: \S+ \(\S+\)\n +context deadline exceeded\nFAIL\n`) // only its time was over: see https://go.dev/issue/75804
)

// fuzz fuzzes one target in a directory of its own, in which there is no corpus.
func fuzz(ctx context.Context, o options, binary, target string) (_ row, err error) {
	dir, err := os.MkdirTemp("", "jacquard-fuzz-")
	if err != nil {
		return row{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, binary,
		"-test.run=^"+target+"$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+o.time, "-test.fuzzminimizetime="+o.minimise,
		"-test.fuzzcachedir="+filepath.Join(dir, "cache"), fmt.Sprintf("-test.parallel=%d", o.parallel), "-test.timeout=0")
	cmd.Dir = dir
	cmd.Env = append(executable.Env(os.Environ(), dir), "JACQUARD_TALLY="+dir)
	cmd.Stdout = &out
	if o.verbose {
		cmd.Stdout = io.MultiWriter(&out, os.Stderr)
	}
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it stops its workers
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return row{}, err
	}
	r := read(target, out.String())
	if r.interleaving, err = tallied(dir, target); err != nil {
		return row{}, err
	}
	failed := exit != nil && ctx.Err() == nil && !late.Match(out.Bytes())
	if failed && r.found == "" {
		return row{}, fmt.Errorf("the target has failed without a failing input:\n%s", out.String())
	}
	if failed && (o.keep || r.wrong()) {
		return r, keep(o, dir, target)
	}
	return r, nil
}

// read reads what a target wrote.
func read(target, out string) row {
	r := row{target: target, want: wanted(target)}
	for _, m := range progress.FindAllStringSubmatch(out, -1) {
		r.inputs, _ = strconv.Atoi(m[1])
		r.interesting, _ = strconv.Atoi(m[2])
	}
	_, failure, failed := strings.Cut(out, "--- FAIL")
	if !failed || late.MatchString(out) {
		return r
	}
	r.found = "a failure"
	if at := message.FindStringIndex(failure); at != nil {
		r.found = firstLines(failure[at[0]:])
	} else if strings.Contains(failure, "fuzzing process hung or terminated") {
		r.found = "an input took longer than the 10 s of package testing, or its process ended"
	}
	if m := replay.FindStringSubmatch(failure); m != nil {
		r.replay = m[1]
	} else if m := written.FindStringSubmatch(failure); m != nil {
		r.replay = "go test ./fuzz -run '^" + target + "$/" + filepath.Base(m[1]) + "$'"
	}
	return r
}

// firstLines is the first paragraph of a report, in one line.
func firstLines(report string) string {
	var words []string
	for line := range strings.Lines(report) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			break
		}
		words = append(words, fields...)
	}
	return strings.Join(words, " ")
}

// tallied counts the interleavings that the processes of a target have come through.
func tallied(dir, target string) (int, error) {
	files, err := filepath.Glob(filepath.Join(dir, target+".*"))
	if err != nil {
		return 0, err
	}
	seen := make(map[uint64]bool)
	for _, file := range files {
		sums, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		for ; len(sums) >= 8; sums = sums[8:] {
			seen[binary.LittleEndian.Uint64(sums)] = true
		}
	}
	return len(seen), nil
}

// keep copies the failing inputs of a target into the corpus.
func keep(o options, dir, target string) error {
	corpus := filepath.Join("testdata", "fuzz", target)
	files, err := os.ReadDir(filepath.Join(dir, corpus))
	if errors.Is(err, fs.ErrNotExist) { // it failed with what fuzzing begins with
		return nil
	}
	if err != nil {
		return err
	}
	to := filepath.Join(o.pkg, corpus)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		input, err := os.ReadFile(filepath.Join(dir, corpus, file.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, file.Name()), input, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
