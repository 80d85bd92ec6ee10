package house_test

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is the maximum length of a file: a longer one answers more than one question.
const maxLines = 450

// tooLong finds source files that should be divided.
func tooLong(all []file) []string {
	var wrong []string
	for _, f := range all {
		if n := strings.Count(f.text, "\n"); n > maxLines && isSource(f.name) {
			wrong = append(wrong, fmt.Sprintf("%s: got %d lines, want at most %d", f.name, n, maxLines))
		}
	}
	return wrong
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".go.txt") || strings.HasSuffix(name, ".feature")
}

func TestFileLength(t *testing.T) { check(t, tooLong(must(t, files))) }

func TestFileLengthCanFail(t *testing.T) {
	catches(t, tooLong([]file{{"cache/a.go", strings.Repeat("\n", maxLines+1)}}), "451 lines")
	check(t, tooLong([]file{{"cache/a.go", strings.Repeat("\n", maxLines)}}))
}

// binaries lists the permitted binary files, each with a reason.
var binaries = map[string]string{
	"races/shared.db": "the migrated database that each execution of R6 and R7 begins with; a test makes it anew and compares",
}

// binary finds files that are not text, such as a database that a test left
// behind.
func binary(all []file) []string {
	var wrong []string
	for _, f := range all {
		if strings.ContainsRune(f.text, 0) && binaries[f.name] == "" {
			wrong = append(wrong, f.name+": got a binary file, want text only")
		}
	}
	return wrong
}

func TestTextOnly(t *testing.T) { check(t, binary(must(t, files))) }

func TestTextOnlyCanFail(t *testing.T) {
	catches(t, binary([]file{{"races/left.db", "SQLite format 3\x00"}, {"README.md", "text"}}), "races/left.db")
}

// toldGodog tells users who run godog in the folder features what to run instead.
const toldGodog = "features/godog_test.go"

// foreign finds files below features/ that are not features.
func foreign(all []file) []string {
	var wrong []string
	for _, f := range all {
		if strings.HasPrefix(f.name, "features/") && path.Ext(f.name) != ".feature" && f.name != toldGodog {
			wrong = append(wrong, f.name+": want only .feature files below features/")
		}
	}
	return wrong
}

func TestFeaturesOnly(t *testing.T) { check(t, foreign(must(t, files))) }

func TestFeaturesOnlyCanFail(t *testing.T) {
	catches(t, foreign([]file{{"features/engines.feature", ""}, {"features/steps.go", ""}}), "features/steps.go")
}

// tagged finds build constraints in the packages that are explored, whose code must be
// the same in every build.
func tagged(all []file) []string {
	var wrong []string
	for _, f := range all {
		if !strings.HasPrefix(f.name, "cache/") && !strings.HasPrefix(f.name, "lifecycle/") {
			continue
		}
		for line := range strings.Lines(f.text) {
			if strings.HasPrefix(line, "package ") {
				break
			}
			if strings.HasSuffix(f.name, ".go") && (constraint.IsGoBuild(line) || constraint.IsPlusBuild(line)) {
				wrong = append(wrong, f.name+": got the build constraint "+strings.TrimSpace(line)+", want none")
			}
		}
	}
	return wrong
}

func TestNoBuildTags(t *testing.T) { check(t, tagged(must(t, files))) }

func TestNoBuildTagsCanFail(t *testing.T) {
	text := "//go:build race\n\npackage cache\n"
	catches(t, tagged([]file{{"cache/a.go", text}, {"explore/a.go", text}}), "cache/a.go")
	check(t, tagged([]file{{"cache/a.go", "package cache\n\nconst s = `\n//go:build race\n`\n"}}))
}

// mayskip lists the files in which a test may be skipped, each with a reason.
var mayskip = map[string]string{
	"internal/toolchain/errors_test.go":         "on macOS the race detector needs no C compiler, so its absence is no error",
	"explore/fuzz.go":                           "a target that has been fuzzed under control has nothing left to fuzz",
	"suite/guest/testdata/tests/plain_test.go":  "what becomes of a test that is skipped",
	"internal/engine/t.go":                      "T is a testing.TB and has these methods itself",
	"explore/bench_test.go":                     "a benchmark of steps under control; elsewhere there are none to measure",
	"lifecycle/disk_full_linux_test.go":         "only root may mount a small disk; a database without room is tried by everybody, see disk_full_test.go",
	"internal/postgres/die_linux_test.go":       "a PostgreSQL server cannot be fetched; CI installs one",
	"internal/postgres/server_test.go":          "a PostgreSQL server cannot be fetched; CI installs one",
	"lifecycle/internal/storetest/storetest.go": "a PostgreSQL server cannot be fetched; CI installs one",
	"stress/soak/postgres_test.go":              "a PostgreSQL server cannot be fetched; CI installs one",
	"internal/command/screen_test.go":           "how to get a pseudo-terminal is different on every system; it is written for Linux",
	"bench/goker/goker_test.go":                 "Go installations before 1.26 have no kernels",
}

// skips finds calls that skip a test.
func skips(all []file) []string {
	var wrong []string
	for _, f := range all {
		if path.Ext(f.name) != ".go" || mayskip[f.name] != "" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if !importsTesting(parsed) {
			continue
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if shortened(n) {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, s.Sel.Name) {
					wrong = append(wrong, fmt.Sprintf("%s: a test is skipped; want it to run or to fail", set.Position(call.Pos())))
				}
			}
			return true
		})
	}
	return wrong
}

// shortened reports whether a statement leaves a test to make test-long.
func shortened(n ast.Node) bool {
	block, ok := n.(*ast.IfStmt)
	return ok && strings.HasPrefix(types.ExprString(block.Cond), "testing.Short()") && block.Else == nil && len(block.Body.List) == 1 &&
		slices.ContainsFunc([]string{"t", "f"}, func(of string) bool {
			call, ok := block.Body.List[0].(*ast.ExprStmt)
			return ok && types.ExprString(call.X) == of+`.Skip("did not run: only in make test-long SHORT=")`
		})
}

func importsTesting(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
}

func TestNoSkips(t *testing.T) { check(t, skips(must(t, files))) }

func TestNoSkipsCanFail(t *testing.T) {
	text := "package a_test\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.%s }\n"
	for _, call := range []string{`Skip("later")`, `Skipf("%d", 1)`, "SkipNow()"} {
		catches(t, skips([]file{{"cache/a_test.go", strings.Replace(text, "%s", call, 1)}}), "cache/a_test.go:5")
	}
	check(t, skips([]file{{"cache/a_test.go", strings.Replace(text, "%s", `Log("Skip()")`, 1)}}))
	long := strings.Replace(text, "t.%s", "if testing.Short() { t.Skip(\"did not run: only in make test-long SHORT=\") }", 1)
	check(t, skips([]file{{"cache/a_test.go", long}}))
	catches(t, skips([]file{{"cache/a_test.go", strings.Replace(long, "testing.Short()", "true", 1)}}), "cache/a_test.go:5")
}

// pathsOf finds paths of the machine in the tree.
func pathsOf(machine []string, all []file) []string {
	var wrong []string
	for _, place := range machine {
		// Not the end of a longer path, as in GOROOT/src.
		at := regexp.MustCompile(`(?m)(?:^|[\s"'=(:,` + "`" + `])` + regexp.QuoteMeta(place) + `(?:[/\s"'),:;` + "`" + `]|$)`)
		for _, f := range all {
			if at.MatchString(f.text) {
				wrong = append(wrong, f.name+": got "+place+", a place of this machine")
			}
		}
	}
	return wrong
}

// machine lists the paths of this machine that must not be in the tree.
func machine() ([]string, error) {
	places := []string{"/ro" + "ot", "/Use" + "rs"}
	dir, err := root()
	if err != nil {
		return nil, err
	}
	out, err := run(dir, "go", "env", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return nil, err
	}
	places = append(places, dir)
	places = append(places, strings.Fields(out)...)
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		places = append(places, home)
	}
	return places, nil
}

func TestNoPlacesOfThisMachine(t *testing.T) { check(t, pathsOf(must(t, machine), must(t, files))) }

func TestNoPlacesOfThisMachineCanFail(t *testing.T) {
	catches(t, pathsOf([]string{"/src"}, []file{{"README.md", "see /src/cache\n"}, {"DESIGN.md", "files of GOROOT/src\n"}}), "README.md")
}
