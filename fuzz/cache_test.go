package fuzz_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/cache/explored"
	"github.com/jacquard-go/jacquard/explore"
)

// FuzzCache fuzzes programs of three callers on one key of a cache. What they observe must be linearizable in the model of package
// cachemodel.
func FuzzCache(f *testing.F) {
	var cfg explore.FuzzConfig
	cfg.Programs = twice(len(explored.Calls))
	cfg.Replayed = "JACQUARD_CARD=%s go test ./fuzz -run '^" + f.Name() + "$'"
	explore.FuzzProgram(f, cfg, func(t *explore.T, program []byte) { explored.Linearizable(t, scripts(program, 3)) })
}

// scripts translates a program to scripts of so many callers. Each byte is a call of one of them.
func scripts(program []byte, callers int) []string {
	all := make([]string, callers)
	for _, b := range program[:min(len(program), mostOperations)] {
		n := len(explored.Calls)
		by := int(b) / n % callers
		all[by] += explored.Calls[int(b)%n : int(b)%n+1]
	}
	return all
}
