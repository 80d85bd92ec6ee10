package suite_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/suite"
)

// A message is told on one line that says what is wrong, also where its first line says
// only where.
func TestOneLine(t *testing.T) {
	for message, want := range map[string]string{
		"a_test.go:9: -50 left":      "a_test.go:9: -50 left",
		"a_test.go:9: got\n  1 left": "a_test.go:9: got",
		"a_test.go:9: \n\tError Trace:\t/src/a_test.go:9\n\t\t\t\t/src/b.go:3\n\tError:      \tNot equal: \n\t            \texpected: 1\n\t            \tactual  : 2\n\tTest:       \tTestA\n": "a_test.go:9: Not equal: expected: 1, actual  : 2",
		"a_test.go:9: \n\tError Trace:\t/src/a_test.go:9\n\tError:      \tShould be true\n\tTest:       \tTestA\n":                                                                             "a_test.go:9: Should be true",
		"a_test.go:9:\n\n  Expected\n      <int>: 1": "a_test.go:9: Expected",
		"a_test.go:9:": "a_test.go:9:",
		"":             "",
	} {
		if got := suite.OneLine(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}
