package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/suite"
)

// With -covered the coverage of a package's schedules is reported, as text and as a page.
func TestCovered(t *testing.T) {
	page := filepath.Join(t.TempDir(), "covered.html")
	cfg := suite.Config{Schedules: 200, Covered: true, CoveredHTML: page}
	runs(t, cfg, "TestCovers", "TestPlain").want(t, true, `jacquard: covered: 2 of 3 requirements (66 %)
    fake_test.go:1: this Lock was never contended (0 of 4)
jacquard: conflicting operations that came in both orders: 0 of 1 pairs (0 %)
    fake_test.go:1: this Lock never came after the CompareAndSwap at suite/guest/item.go:1 (0 of 3)
ok  	`+here+`	0.02s	2 tests, 1 concurrent, 200 schedules (200 distinct)
`)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"this Lock was never contended", "fake_test.go", "guest/item.go"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("got a page without %q", want)
		}
	}
	if got := runs(t, suite.Config{Schedules: 200}, "TestCovers"); strings.Contains(got.out, "covered") {
		t.Errorf("got %s though nobody asked what was covered", got.out)
	}
}
