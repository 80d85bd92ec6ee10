package fuzz_test

import (
	"flag"
	"path"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle/explored"
	"github.com/jacquard-go/jacquard/races"
)

// The fuzz targets of the documented races: one for each cell of the catalogue.

func FuzzR1Reported(f *testing.F)  { fuzzCell(f, "R1/reported") }
func FuzzR1Suggested(f *testing.F) { fuzzCell(f, "R1/suggested") }
func FuzzR1Ours(f *testing.F)      { fuzzCell(f, "R1/ours") }
func FuzzR2Reported(f *testing.F)  { fuzzCell(f, "R2/reported") }
func FuzzR2Suggested(f *testing.F) { fuzzCell(f, "R2/suggested") }
func FuzzR2Ours(f *testing.F)      { fuzzCell(f, "R2/ours") }
func FuzzR3Reported(f *testing.F)  { fuzzCell(f, "R3/reported") }
func FuzzR3Suggested(f *testing.F) { fuzzCell(f, "R3/suggested") }
func FuzzR3Ours(f *testing.F)      { fuzzCell(f, "R3/ours") }
func FuzzR4Reported(f *testing.F)  { fuzzCell(f, "R4/reported") }
func FuzzR4Suggested(f *testing.F) { fuzzCell(f, "R4/suggested") }
func FuzzR4Ours(f *testing.F)      { fuzzCell(f, "R4/ours") }
func FuzzR5Reported(f *testing.F)  { fuzzCell(f, "R5/reported") }
func FuzzR5Suggested(f *testing.F) { fuzzCell(f, "R5/suggested") }
func FuzzR5Ours(f *testing.F)      { fuzzCell(f, "R5/ours") }
func FuzzR6Reported(f *testing.F)  { fuzzCell(f, "R6/reported") }
func FuzzR6Suggested(f *testing.F) { fuzzCell(f, "R6/suggested") }
func FuzzR6Ours(f *testing.F)      { fuzzCell(f, "R6/ours") }
func FuzzR7Reported(f *testing.F)  { fuzzCell(f, "R7/reported") }
func FuzzR7Suggested(f *testing.F) { fuzzCell(f, "R7/suggested") }
func FuzzR7Ours(f *testing.F)      { fuzzCell(f, "R7/ours") }

func FuzzN1Reported(f *testing.F)  { fuzzCell(f, "N1/reported") }
func FuzzN1Suggested(f *testing.F) { fuzzCell(f, "N1/suggested") }
func FuzzN1Ours(f *testing.F)      { fuzzCell(f, "N1/ours") }
func FuzzN2Reported(f *testing.F)  { fuzzCell(f, "N2/reported") }
func FuzzN2Suggested(f *testing.F) { fuzzCell(f, "N2/suggested") }
func FuzzN2Ours(f *testing.F)      { fuzzCell(f, "N2/ours") }
func FuzzN3Reported(f *testing.F)  { fuzzCell(f, "N3/reported") }
func FuzzN3Suggested(f *testing.F) { fuzzCell(f, "N3/suggested") }
func FuzzN3Ours(f *testing.F)      { fuzzCell(f, "N3/ours") }
func FuzzN4Reported(f *testing.F)  { fuzzCell(f, "N4/reported") }
func FuzzN4Ours(f *testing.F)      { fuzzCell(f, "N4/ours") }
func FuzzN5Reported(f *testing.F)  { fuzzCell(f, "N5/reported") }
func FuzzN5Ours(f *testing.F)      { fuzzCell(f, "N5/ours") }
func FuzzN6Reported(f *testing.F)  { fuzzCell(f, "N6/reported") }
func FuzzN6Ours(f *testing.F)      { fuzzCell(f, "N6/ours") }
func FuzzN7Reported(f *testing.F)  { fuzzCell(f, "N7/reported") }
func FuzzN7Ours(f *testing.F)      { fuzzCell(f, "N7/ours") }
func FuzzN8Reported(f *testing.F)  { fuzzCell(f, "N8/reported") }
func FuzzN8Ours(f *testing.F)      { fuzzCell(f, "N8/ours") }
func FuzzN9Reported(f *testing.F)  { fuzzCell(f, "N9/reported") }
func FuzzN9Ours(f *testing.F)      { fuzzCell(f, "N9/ours") }

func FuzzN10Reported(f *testing.F)  { fuzzCell(f, "N10/reported") }
func FuzzN10Suggested(f *testing.F) { fuzzCell(f, "N10/suggested") }
func FuzzN10Ours(f *testing.F)      { fuzzCell(f, "N10/ours") }

// plays maps each row to what programs can do to its subjects.
var plays = map[string]func(*explore.T, races.Subject) play{
	"R1": playEngines,
	"R2": playActions,
	"R3": playPlans,
	"R4": playChangesets,
	"R5": playEmptying,
	"R6": playReads,
	"R7": playApplies,
	"N1": playMigrations,
	"N2": playRefusals,
	"N3": playWork,
	"N6": playFailures,
	"N7": playRecorders,
	"N8": playFiles,
	"N9": playParts,

	"N4":  playLocks,
	"N5":  playJobs,
	"N10": playLeases,
}

// fuzzCell fuzzes programs on the subject of one cell.
func fuzzCell(f *testing.F, id string) {
	race, cell, err := races.Find(id)
	if err != nil {
		f.Fatal(err)
	}
	if testing.Short() && race.ID[0] == 'N' && cell.Column != races.Reported {
		f.Skip("did not run: only in make test-long SHORT=")
	}
	open := plays[race.ID]
	var cfg explore.FuzzConfig // starts from the empty program, so that fuzzing finds every other one
	cfg.Trust = explored.Trusted()
	cfg.Replayed = "JACQUARD_CARD=%s go test ./fuzz -run '^" + f.Name() + "$'"
	if cell.Want == races.Violated {
		cfg.Judge = expectFindings
	}
	if cell.Column != races.Ours {
		cfg.Races = explore.RacesNote // the reported races are judged by their effects
	}
	explore.FuzzProgram(f, cfg, func(t *explore.T, program []byte) {
		s, err := cell.Open(t)
		if err != nil {
			t.Inconclusive("%v", err)
			return
		}
		open(t, s).run(t, program)
		if err := s.Close(); err != nil {
			t.Inconclusive("close: %v", err)
		}
	})
}

// expectFindings judges a specimen, which has a bug. During fuzzing a violation is a finding. Otherwise inputs of the corpus must
// show their violation again, and any result is right for the inputs that fuzzing starts with.
func expectFindings(t *testing.T, r *explore.Result) {
	stored := !strings.HasPrefix(path.Base(t.Name()), "seed#")
	switch {
	case r.Verdict == explore.Unknown:
		explore.Report(t, r)
	case fuzzes() && r.Verdict == explore.Violated:
		explore.Report(t, r)
	case fuzzes():
	case stored && r.Verdict == explore.Holds:
		t.Errorf("got holds, want the violation that this input shows")
	case stored:
		t.Logf("violated, as expected: %s", r.Failure.Message)
	}
}

// fuzzes reports whether this process was told to fuzz.
func fuzzes() bool {
	fl := flag.Lookup("test.fuzz")
	return fl != nil && fl.Value.String() != ""
}

// Every row of the catalogue has something to play.
func TestTargets(t *testing.T) {
	for _, r := range races.All() {
		if plays[r.ID] == nil {
			t.Errorf("%s: got nothing to play, want a play", r.ID)
		}
	}
}
