package output_test

import (
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/suite/output"
)

// The verdicts of a discovery run in which a test has failed, and that do not count, are not
// printed; those of others are.
func TestUnfailed(t *testing.T) {
	const begins = "=== RUN   TestA\n    a_test.go:3: no\n"
	for _, c := range []struct {
		text, want string
		failed     bool
		subtests   []string
	}{
		{begins + "--- FAIL: TestA (0.01s)\n", begins, true, nil},
		{begins + "\x16--- FAIL: TestA (0.01s)\n    --- FAIL: TestA/sub (0.00s)\n", begins, true, []string{"TestA/sub"}},
		{begins + "--- PASS: TestA (0.01s)\n    --- SKIP: TestA/sub (0.00s)\n", begins + "--- PASS: TestA (0.01s)\n    --- SKIP: TestA/sub (0.00s)\n", false, nil},
		{"--- FAIL: TestAB (0.01s)\n", "--- FAIL: TestAB (0.01s)\n", false, nil},
		{begins, begins, false, nil},
		{begins + "\x16--- FAIL: TestA/a/b (0.00s)\n\x16=== NAME  TestA/a\n\x16--- FAIL: TestA/a (0.00s)\n\x16=== RUN   TestA/c\n", begins + "\x16=== NAME  TestA/a\n\x16=== RUN   TestA/c\n", false, []string{"TestA/a/b", "TestA/a"}},
	} {
		if got, failed, subtests := output.Unfailed("TestA", c.text); got != c.want || failed != c.failed || !slices.Equal(subtests, c.subtests) {
			t.Errorf("%q: got %q, %t, %q; want %q, %t, %q", c.text, got, failed, subtests, c.want, c.failed, c.subtests)
		}
	}
}
