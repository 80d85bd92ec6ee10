package house_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the output of the README's example into the README")

// example is the folder of the README's example. It is below testdata because
// its test fails, which is what it shows.
const example = "internal/house/testdata/account"

// maxReadme is the length of a README that is read, in lines.
const maxReadme = 200

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

// cards are different in every build of a program.
var cards = regexp.MustCompile(`jq\d-[\w-]+`)

// differs says where got is not what the README shows, cards apart.
func differs(readme, got string) []string {
	shown := strings.Split(cards.ReplaceAllString(readme, "CARD"), "\n")
	for i, line := range strings.Split(cards.ReplaceAllString(got, "CARD"), "\n") {
		if i >= len(shown) || shown[i] != line {
			shown = append(shown, make([]string, i+1)...)
			return []string{fmt.Sprintf("README.md, output of the example, line %d: got %q, want %q; go test ./internal/house -run README -update", i+1, line, shown[i])}
		}
	}
	return nil
}

// output runs the README's example with a card, if there is one, and returns the
// report in what it prints, without the indentation of go test.
func output(t *testing.T, card string) string {
	t.Helper()
	t.Setenv("JACQUARD_CARD", card)
	t.Setenv("JACQUARD_CARDS", "-") // its folder is part of the checkout
	said, err := run(must(t, root), "go", "test", "./"+example)
	if err == nil {
		t.Fatalf("the README's example passed; want it to fail\n%s", said)
	}
	_, report, found := strings.Cut(said, "TestWithdraw\n")
	report, _, ended := strings.Cut(report, "\n        --- FAIL")
	at := strings.Index(report, "violated: ")
	if !found || !ended || at < 0 {
		t.Fatalf("the README's example has no report: %v\n%s", err, said)
	}
	report = report[at:]
	indent := regexp.MustCompile(`(?m)^ {16}`)
	return regexp.MustCompile(`(?m) +$`).ReplaceAllString(indent.ReplaceAllString(report, ""), "") + "\n"
}

func TestREADMEExample(t *testing.T) {
	readme := text(t, "README.md")
	code := fenced(readme, "go")
	if len(code) != 2 {
		t.Fatalf("README.md: got %d blocks of Go, want the account and its test", len(code))
	}
	for i, name := range []string{"account.go", "account_test.go"} {
		if !strings.Contains(text(t, example+"/"+name), code[i]) {
			t.Errorf("README.md: the code is not that of %s/%s:\n%s", example, name, code[i])
		}
	}
	shown, got := fenced(readme, "")[0], output(t, "")
	if *update {
		readme = strings.Replace(readme, "```\n"+shown+"```", "```\n"+got+"```", 1)
		if err := os.WriteFile(filepath.Join(must(t, root), "README.md"), []byte(readme), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	check(t, differs(shown, got))
}

// The last line of the example's output replays the execution above it.
func TestREADMEReplay(t *testing.T) {
	found := output(t, "")
	again := output(t, cards.FindString(found))
	execution, _, _ := strings.Cut(found, ", found by")
	replayed, _, ok := strings.Cut(again, ", exactly replayed from its card")
	if replayed != execution || !ok {
		t.Errorf("the replay shows\n%s\nwant what was found:\n%s", again, found)
	}
}

func TestREADMEExampleCanFail(t *testing.T) {
	catches(t, differs("violated\nreplay: jq1-abc\n", "violated: check\nreplay: jq1-abc\n"), "line 1")
	catches(t, differs("violated\n", "violated\nmore\n"), "line 2")
	check(t, differs("violated\nreplay: jq1-abc\n", "violated\nreplay: jq1-de_f\n"))
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
