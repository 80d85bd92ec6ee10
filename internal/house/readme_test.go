package house_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the output of the README's example into the README")

// The folders of the README's examples. They are below testdata because their
// tests fail, as the README shows. The first is a module of its own, which does
// not depend on this one.
const (
	example  = "internal/house/testdata/account"
	explored = "internal/house/testdata/explored"
)

// maxReadme is the maximum length of the README, in lines, so that people read it.
const maxReadme = 250

// maxColumns is the maximum width of the README's example, so that it can be read on a
// phone, or in a narrow window.
const maxColumns = 80

// tooWide finds lines of the README's example that are too long. It permits lines with a
// card, which cannot be broken.
func tooWide(readme string) []string {
	var wrong []string
	example, _, _ := strings.Cut(readme, "\n## ")
	for line := range strings.Lines(example) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > maxColumns && !cards.MatchString(line) {
			wrong = append(wrong, fmt.Sprintf("README.md: got %d columns, want at most %d: %s", utf8.RuneCountInString(line), maxColumns, line))
		}
	}
	return wrong
}

func TestREADMEColumns(t *testing.T) {
	check(t, tooWide(text(t, "README.md")))
}

func TestREADMEColumnsCanFail(t *testing.T) {
	long := strings.Repeat("x", maxColumns)
	check(t, tooWide(long+"\nreplay: jq2-"+long+"\n## Rest\n"+long+long))
	catches(t, tooWide("# Title\n"+long+"x\n## Rest\n"), "got 81 columns")
}

// text returns one file of the checkout.
func text(t *testing.T, name string) string {
	t.Helper()
	for _, f := range must(t, files) {
		if f.name == name {
			return f.text
		}
	}
	t.Fatalf("there is no file %s", name)
	return ""
}

// fenced returns the blocks of code of a Markdown text that are marked with
// language.
func fenced(markdown, language string) []string {
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(markdown, -1) {
		if m[1] == language {
			blocks = append(blocks, m[2])
		}
	}
	return blocks
}

// cards differ in every build of a program, and times in every run.
var (
	cards = regexp.MustCompile(`jq\d-[\w-]+`)
	times = regexp.MustCompile(`\d+\.\d+s`)
)

// plainly removes from an output what differs each time.
func plainly(text string) string {
	return times.ReplaceAllString(cards.ReplaceAllString(text, "CARD"), "TIME")
}

// differs returns the first difference between got and the README, cards and times apart.
func differs(readme, got string) []string {
	shown := strings.Split(plainly(readme), "\n")
	for i, line := range strings.Split(plainly(got), "\n") {
		if i >= len(shown) || shown[i] != line {
			shown = append(shown, make([]string, i+1)...)
			return []string{fmt.Sprintf("README.md, output of the example, line %d: got %q, want %q; go test ./internal/house -run README -update", i+1, line, shown[i])}
		}
	}
	return nil
}

// scratch is a folder that is removed when all tests have run.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "jacquard-house-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(scratch); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// command builds the command jacquard, once.
var command = sync.OnceValues(func() (string, error) {
	at, err := root()
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "jacquard")
	if said, err := run(at, "go", "build", "-o", path, "./cmd/jacquard"); err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return path, nil
})

// output returns what the command prints in the folder of the README's example.
func output(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), must(t, command), args...)
	cmd.Args[0] = "jacquard" // as it is called in the README
	cmd.Dir = filepath.Join(must(t, root), example)
	said, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m) +$`).ReplaceAllString(string(said), "")
}

func TestREADMEExample(t *testing.T) {
	readme := text(t, "README.md")
	code := fenced(readme, "go")
	files := []string{example + "/account.go", example + "/account_test.go", explored + "/explored_test.go"}
	if len(code) != len(files) {
		t.Fatalf("README.md: got %d blocks of Go, want %q", len(code), files)
	}
	for i, name := range files {
		if !strings.Contains(text(t, name), code[i]) {
			t.Errorf("README.md: the code is not that of %s:\n%s", name, code[i])
		}
	}
	shown, got := fenced(readme, "")[0], output(t, "test", "-width", fmt.Sprint(maxColumns), "-fresh")
	if *update {
		readme = strings.Replace(readme, "```\n"+shown+"```", "```\n"+got+"```", 1)
		if err := os.WriteFile(filepath.Join(must(t, root), "README.md"), []byte(readme), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	check(t, differs(shown, got))
}

// The last line of the example's report replays the execution above it.
func TestREADMEReplay(t *testing.T) {
	found := output(t, "test", "-fresh")
	line := regexp.MustCompile(`(?m)^ +replay: jacquard (.*)$`).FindStringSubmatch(found)
	if line == nil {
		t.Fatalf("the README's example has no line that replays it:\n%s", found)
	}
	_, found, _ = strings.Cut(regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(found, ""), "\n\n")
	execution, _, _ := strings.Cut(found, ", found by")
	replayed, _, ok := strings.Cut(output(t, strings.Fields(line[1])...), ", exactly replayed from its card")
	if _, replayed, _ = strings.Cut(replayed, "\n\n"); !ok || replayed != execution {
		t.Errorf("the replay shows\n%s\nwant what was found:\n%s", replayed, execution)
	}
}

// The README's test that explores by itself finds its bug.
func TestREADMEExplored(t *testing.T) {
	t.Setenv("JACQUARD_CARDS", "-") // no cards, because its folder is part of the checkout
	said, err := run(must(t, root), "go", "test", "./"+explored)
	if err == nil || !strings.Contains(said, "got 1, want 2") || !strings.Contains(said, "replay: JACQUARD_CARD=jq2-") {
		t.Errorf("got %v\n%s\nwant it to fail, with a line that replays it", err, said)
	}
}

func TestREADMEExampleCanFail(t *testing.T) {
	catches(t, differs("violated\nreplay: jq1-abc\n", "violated: check\nreplay: jq1-abc\n"), "line 1")
	catches(t, differs("violated\n", "violated\nmore\n"), "line 2")
	check(t, differs("violated (0.12s)\nreplay: jq1-abc\n", "violated (3.45s)\nreplay: jq1-de_f\n"))
}

func TestREADMELength(t *testing.T) {
	if n := strings.Count(text(t, "README.md"), "\n"); n > maxReadme {
		t.Errorf("README.md: got %d lines, want at most %d", n, maxReadme)
	}
}

// tableRow is a race with its three verdicts, in the README or in the
// documentation of package races.
var tableRow = regexp.MustCompile(`(?m)^(?:\| |//\t)(R\d) .*?(✗|✓|violated|holds)[ |]+(✗|✓|violated|holds)[ |]+(✗|✓|violated|holds)[ |]*$`)

// verdicts reads a table of the races.
func verdicts(text string) map[string]string {
	rows := make(map[string]string)
	for _, m := range tableRow.FindAllStringSubmatch(text, -1) {
		rows[m[1]] = strings.NewReplacer("✗", "violated", "✓", "holds").Replace(strings.Join(m[2:], " "))
	}
	return rows
}

func TestREADMETable(t *testing.T) {
	want := verdicts(text(t, "races/doc.go"))
	if len(want) != 7 {
		t.Fatalf("races/doc.go: got %d races, want 7", len(want))
	}
	for id, got := range verdicts(text(t, "README.md")) {
		if got != want[id] {
			t.Errorf("README.md: %s: got %s, want %s", id, got, want[id])
		}
		delete(want, id)
	}
	for id := range want {
		t.Errorf("README.md: %s is missing", id)
	}
}

func TestREADMETableIsRead(t *testing.T) {
	got := verdicts("| R1 two engines | #3950 | ✗ | ✓ | ✓ |\n//\tR2  two creates  violated  violated  holds\n")
	if got["R1"] != "violated holds holds" || got["R2"] != "violated violated holds" {
		t.Errorf("got %v", got)
	}
}
