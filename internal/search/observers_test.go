package search_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs/files"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// Whatever a program observes of the order of its operations, DPOR reaches all of its final
// states. For some programs these are given in reachable.
func TestObservers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	quietly(t)
	for class, all := range map[string][]finals.Final{"tells": finals.Observers(), "tries": finals.Tries(), "reflected": finals.Reflected(), "handed": finals.Handed(), "files": files.Shared()} {
		for _, b := range all {
			t.Run(class+"/"+b.Name, func(t *testing.T) {
				all, reduced := searchAll(t, b, strategy.DepthFirst(3)), searchAll(t, b, strategy.DPOR())
				want, got := slices.Sorted(maps.Keys(all.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
				t.Logf("%d schedules, dpor %d: %q", all.Schedules, reduced.Schedules, want)
				if reduced.Why != "" {
					t.Errorf("got no claim of dpor: %s", reduced.Why)
				}
				if !slices.Equal(got, want) {
					t.Errorf("got final states %q, want %q", got, want)
				}
				if reached := reachable[b.Name]; reached != nil && !slices.Equal(want, slices.Sorted(slices.Values(reached))) {
					t.Errorf("got final states %q, want %q", want, reached)
				}
			})
		}
	}
}

// reachable has the final states that some of the programs can reach on several processors.
var reachable = map[string][]string{
	"a file that one makes and one looks for":              {"[ !]", "[ ]"},
	"a file that one writes and one reads":                 {"[ ]", "[ n]", "[ old]"},
	"a file that two remove":                               {"[ !]", "[! ]"},
	"an open file that one closes and one writes":          {"[ 0!]", "[ 4]"},
	"a root that one closes and one makes a directory in":  {"[ !]", "[ ]"},
	"a file in a root that one renames and one reads":      {"[ !]", "[ a]"},
	"an open file of which two read":                       {"[a b]", "[b a]"},
	"a directory that one renames and one makes a file in": {"[ !]", "[ ]"},
	"a file with two names":                                {"[ a]", "[ ab]"},
	"to write, behind an unlock that is told of":           {"[ false]", "[ locked]", "[ true]"},
	"to write and then to read, while one writes":          {"[false false ]", "[false true ]", "[true false ]", "[true true ]"},
	"one tries to write, while two read":                   {"[false false]", "[false true]", "[true false]"},
	"who of three counts below zero":                       {"[ends ends panics]", "[ends panics ends]", "[panics ends ends]"},
	"len beside a send":                                    {"[0 ]", "[1 ]", "[2 ]"},
	"a pool that two get from":                             {"[false true]", "[true false]"},
	"select of two that are ready":                         {"[0 1]", "[1 2]"},
	"two halves and a whole":                               {"[  0]", "[  1]", "[  4294967296]", "[  4294967297]"},
	"how many goroutines there are behind one's last word": {"0", "1"},
	"how many goroutines there are behind two":             {"0", "1", "2"},
	"a template that goes through a channel":               {"[1 2]", "[12 0]", "[2 1]"},
	"a variable by its methods":                            {"[0 0]", "[0 1]", "[5 0]"},
	"a logger that is set":                                 {`"" "new line\n"`, `"" "old line\n"`, `"new line\n" ""`, `"old line\n" ""`},
	"a level that is set":                                  {"msg=set;", "msg=set;msg=told;", "msg=told;msg=set;"},
	"a lock by its methods":                                {"[1 2]", "[2 1]"},

	"a select that waits to send and to receive": {"1", "2"},
	"a select of very many that waits":           {"0", "1"},
	"two that compare their numbers":             {"false", "true"},

	"a clean-up that counts down, and one that unlocks":        {"false", "true"},
	"two clean-ups that cancel":                                {"false", "true"},
	"how many goroutines a profile has behind one's last word": {"0", "1"},
	"how many goroutines are measured behind one's last word":  {"0", "1"},
}

// A package is trusted if it is in the Go installation. A path that only resembles one there is
// not enough.
func TestTrustedPackages(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, pkg := range []string{
		"math/bank", "internal/shop", "text/app", "hash/ring", "log/mine", "testing/kit", "os/agent", "io/pipes", "crypto/vault", "encoding/own",
		"unicode/glyphs", "path/find", "regexp/engine", "vendor/mine", "math/rand/mine", "internal/runtime/mine",
	} {
		if search.Utility(pkg) || search.Machinery(pkg) {
			t.Errorf("got %s trusted, want it not", pkg)
		}
	}
	for _, pkg := range []string{"fmt", "math/rand", "internal/poll", "text/template", "log/slog", "testing", "vendor/golang.org/x/net/idna"} {
		if !search.Utility(pkg) {
			t.Errorf("got %s not trusted, want it trusted", pkg)
		}
	}
}
