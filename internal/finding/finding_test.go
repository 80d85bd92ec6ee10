package finding_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/finding"
)

// docs/json.md describes each field, and no others.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	about, ledger, _ := strings.Cut(string(text), "\n## ")
	tabled(t, about, reflect.TypeFor[finding.Finding]())
	tabled(t, ledger, reflect.TypeFor[finding.Record]())
}

// tabled compares a table with the fields that it describes.
func tabled(t *testing.T, text string, fields reflect.Type) {
	t.Helper()
	described := make(map[string]bool)
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) > 3 && strings.Contains(cells[1], "`") {
			for name := range strings.SplitSeq(cells[1], ",") {
				described[strings.Trim(name, " `")] = true
			}
		}
	}
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		if !described[name] {
			t.Errorf("docs/json.md does not describe %q", name)
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("docs/json.md describes %q, which there is not", name)
	}
}

// A test's own message identifies its failures only; a place in the code those of the package.
func TestSignature(t *testing.T) {
	of := finding.Signature("p", "TestA", "check", "a_test.go:#: got #")
	for _, c := range []struct {
		test, kind, cause string
		same              bool
	}{
		{"TestA", "check", "a_test.go:#: got #", true},
		{"TestB", "check", "a_test.go:#: got #", false},
		{"TestA", "timing", "a_test.go:#: got #", false},
		{"TestA", "check", "a_test.go:#: want #", false},
	} {
		if got := finding.Signature("p", c.test, c.kind, c.cause) == of; got != c.same {
			t.Errorf("%v: got %t", c, got)
		}
	}
	if finding.Signature("p", "TestA", "race", "x") != finding.Signature("p", "TestB", "race", "x") {
		t.Error("got two signatures of one data race, want one")
	}
}
