package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/races"
)

const found = `fuzz: elapsed: 3s, execs: 505 (167/sec), new interesting: 13 (total: 18)
fuzz: elapsed: 4s, execs: 511 (6/sec), new interesting: 14 (total: 19)
--- FAIL: FuzzR2Reported (0.84s)
    --- FAIL: FuzzR2Reported (0.01s)
        races_test.go:126: FuzzR2Reported
            violated: check
              one action is lost

             # │ body
            replay: JACQUARD_PROGRAM=0002 JACQUARD_CARD=jq2-x go test ./fuzz -run '^FuzzR2Reported$'

    Failing input written to testdata/fuzz/FuzzR2Reported/a9b9
FAIL
`

// What a target wrote becomes a row: the last figures, the failure, and how to replay it.
func TestRead(t *testing.T) {
	r := read("FuzzR2Reported", found)
	if r.inputs != 511 || r.interesting != 14 || !strings.Contains(r.found, "one action is lost") || !strings.HasPrefix(r.replay, "JACQUARD_PROGRAM=0002") || r.wrong() {
		t.Errorf("got %+v", r)
	}
	if r = read("FuzzR2Ours", strings.ReplaceAll(found, "Reported", "Ours")); !r.wrong() {
		t.Errorf("a finding in ours: got %q, want it to be wrong", r.verdict())
	}
	if r = read("FuzzPlans", strings.ReplaceAll(found, "replay: ", "")); !r.wrong() || !strings.Contains(r.replay, "FuzzPlans$/a9b9") {
		t.Errorf("a finding without a card: got %+v", r)
	}
	hung := "--- FAIL: FuzzN1Ours (22.03s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\n    Failing input written to testdata/fuzz/FuzzN1Ours/d814\nFAIL\n"
	if r = read("FuzzN1Ours", hung); !r.wrong() || !strings.Contains(r.found, "longer than the 10 s") || !strings.Contains(r.replay, "FuzzN1Ours$/d814") {
		t.Errorf("an input without an end: got %+v", r)
	}
	late := "fuzz: elapsed: 3s, execs: 505 (167/sec), new interesting: 13 (total: 18)\n--- FAIL: FuzzR2Ours (3s)\n    context deadline exceeded\nFAIL\n"
	if r = read("FuzzR2Ours", late); r.found != "" || r.inputs != 505 {
		t.Errorf("fuzzing that ended a little late: got %+v, want nothing found", r)
	}
}

// Fuzzing that ended a little late has its row, and nothing has failed.
func TestLate(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "target")
	script := "#!/bin/sh\necho 'fuzz: elapsed: 3s, execs: 505 (167/sec), new interesting: 13 (total: 18)'\necho '--- FAIL: FuzzR2Ours (3s)'\necho '    context deadline exceeded'\necho FAIL\nexit 1\n"
	if err := os.WriteFile(binary, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := fuzz(t.Context(), options{time: "3s", minimise: "50x", parallel: 1}, binary, "FuzzR2Ours")
	if err != nil || r.found != "" || r.inputs != 505 {
		t.Errorf("got %+v, %v; want nothing found in 505 inputs", r, err)
	}
}

func TestWanted(t *testing.T) {
	for target, want := range map[string]races.Want{
		"FuzzR1Reported": races.Violated, "FuzzR3Suggested": races.Holds, "FuzzR7Suggested": races.Violated, "FuzzN8Ours": races.Holds,
		"FuzzN10Reported": races.Violated, "FuzzN10Suggested": races.Violated, "FuzzN10Ours": races.Holds, "FuzzCard": races.Holds,
	} {
		if got := wanted(target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// An interleaving that several processes have seen counts once.
func TestTallied(t *testing.T) {
	dir := t.TempDir()
	for name, sums := range map[string][]uint64{"FuzzX.1": {1, 2}, "FuzzX.2": {2, 3}, "FuzzXY.1": {4}} {
		var text []byte
		for _, sum := range sums {
			text = binary.LittleEndian.AppendUint64(text, sum)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := tallied(dir, "FuzzX"); n != 3 || err != nil {
		t.Errorf("got %d, %v; want 3", n, err)
	}
}

// What fails with an input that is in the code leaves none to keep.
func TestKeepNothing(t *testing.T) {
	pkg := t.TempDir()
	if err := keep(options{pkg: pkg}, t.TempDir(), "FuzzX"); err != nil {
		t.Errorf("got error %v, want none", err)
	}
	if files, err := os.ReadDir(pkg); len(files) > 0 || err != nil {
		t.Errorf("got %v, %v; want nothing kept", files, err)
	}
}
