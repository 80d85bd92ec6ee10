package house_test

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A mention is a command that a text tells its reader to run.
type mention struct {
	file, command string
	args          []string
}

var (
	goRun    = regexp.MustCompile("(?:go|\\$\\(GO\\)) run (?:-race )?\\./cmd/(\\w+)([^\n`;&|#]*)")
	jacquard = regexp.MustCompile("(?:`|^|\\s{4})jacquard( [a-z]+[^\n`;&|#]*)")
	goTest   = regexp.MustCompile("(?:go|\\$\\(GO\\)) test [^\n`]*-run '?([^'\\s`]+)'? \\./([\\w/]+)")
	comments = regexp.MustCompile(`(?m)^//\t.*$`)
)

// instructions returns the parts of a file that may say what to run.
func instructions(f file) string {
	switch path.Ext(f.name) {
	case ".md", ".yml", "":
		return f.text
	case ".go":
		return strings.Join(comments.FindAllString(f.text, -1), "\n")
	}
	return ""
}

// mentions returns the commands of this tree that files tell their readers to run.
func mentions(all []file) []mention {
	var found []mention
	for _, f := range all {
		text := instructions(f)
		for _, m := range goRun.FindAllStringSubmatch(text, -1) {
			found = append(found, mention{f.name, m[1], arguments(m[2])})
		}
		for _, m := range jacquard.FindAllStringSubmatch(text, -1) {
			found = append(found, mention{f.name, "jacquard", arguments(m[1])})
		}
	}
	return found
}

// arguments returns the arguments of a command, without a description in a second column.
func arguments(text string) []string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, " "), "  ")
	return strings.Fields(text)
}

// unknown finds commands that none of the modules has, and flags and subcommands that
// their source does not name.
func unknown(all []file) []string {
	sources := sourcesOf(all)
	var wrong []string
	for _, m := range mentions(all) {
		source, ok := sources[m.command]
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: cmd/%s: want a command of this tree", m.file, m.command))
			continue
		}
		if len(m.args) > 0 && !strings.HasPrefix(m.args[0], "-") && !regexp.MustCompile(`Use: +"`+regexp.QuoteMeta(m.args[0])+`\b`).MatchString(source) {
			wrong = append(wrong, fmt.Sprintf("%s: %s %s: want one of its commands", m.file, m.command, m.args[0]))
		}
		for _, arg := range m.args {
			flag, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if strings.HasPrefix(arg, "-") && !strings.Contains(source, `"`+flag+`"`) {
				wrong = append(wrong, fmt.Sprintf("%s: cmd/%s %s: want a flag that it has", m.file, m.command, arg))
			}
		}
	}
	return wrong
}

// sourcesOf returns the source of each command. For a module's own command that is all
// of the module.
func sourcesOf(all []file) map[string]string {
	sources := make(map[string]string)
	for _, f := range all {
		if path.Ext(f.name) != ".go" || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		for _, m := range modules {
			rest, ok := strings.CutPrefix(f.name, path.Join(m, "cmd")+"/")
			if name, _, below := strings.Cut(rest, "/"); ok && below && name != m {
				sources[name] += f.text
			}
			if strings.HasPrefix(f.name, m+"/") {
				sources[m] += f.text
			}
		}
	}
	return sources
}

func TestCommands(t *testing.T) {
	if got := len(mentions(must(t, files))); got < 20 {
		t.Errorf("got %d commands in the documents, want at least 20", got)
	}
	check(t, unknown(must(t, files)))
}

func TestCommandsCanFail(t *testing.T) {
	source := []file{
		{"cmd/jacquard/main.go", `Use: "replay <race>", Flags().String("html"`},
		{"bench/speed/command.go", `Use: "speed", f.Int("rounds"`},
		{"bench/cmd/bench/main.go", "//\tgo run ./cmd/bench speed -rounds 3  -many\n"},
		{"README.md", "`jacquard replay -html=x R1` and jacquard runs\n"},
	}
	check(t, unknown(source))
	for text, want := range map[string]string{
		"`go run ./cmd/slow`":                 "cmd/slow",
		"`go run ./cmd/bench speed -round 3`": "-round",
		"`go run ./cmd/bench spede`":          "bench spede",
		"    jacquard reply R1\n":             "jacquard reply",
		"`jacquard replay -xml f R1`":         "-xml",
	} {
		catches(t, unknown(append(slices.Clone(source), file{"docs/a.md", text})), want)
	}
}

// unmatched finds commands that would run no test, because a part of the pattern
// matches none in the folder.
func unmatched(all []file) []string {
	var wrong []string
	for _, f := range all {
		for _, m := range goTest.FindAllStringSubmatch(instructions(f), -1) {
			var places []string
			for _, module := range modules {
				places = append(places, path.Join(module, m[2]))
			}
			for part := range strings.SplitSeq(m[1], "|") {
				test := regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w*` + strings.TrimPrefix(strings.Trim(part, "^$"), "Test"))
				if part[0] != '^' && !slices.ContainsFunc(all, func(g file) bool { return slices.Contains(places, path.Dir(g.name)) && test.MatchString(g.text) }) {
					wrong = append(wrong, fmt.Sprintf("%s: go test -run %s ./%s: want a test with %q in its name", f.name, m[1], m[2], part))
				}
			}
		}
	}
	return wrong
}

func TestTestCommands(t *testing.T) { check(t, unmatched(must(t, files))) }

func TestTestCommandsCanFail(t *testing.T) {
	all := []file{
		{"a/a_test.go", "func TestOne(t *testing.T) {}\n"}, {"b/b_test.go", "func TestTwo(t *testing.T) {}\n"},
		{"Makefile", "\t$(GO) test -run 'One|Two' ./a\n\tgo test -run '^$$' ./b\n"}, {"README.md", "`go test -v -run TestTwo ./b`"},
	}
	catches(t, unmatched(all), `"Two"`)
}
