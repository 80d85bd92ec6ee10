package toolchain_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

func fingerprint(t *testing.T, path string) string {
	t.Helper()
	got, err := executable.Fingerprint(path)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A fingerprint identifies the program, regardless of where it was built.
func TestFingerprint(t *testing.T) {
	for _, test := range []bool{false, true} {
		build := func(text string) string {
			dir := program(t, text)
			write(t, dir, "main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestIt(*testing.T) { main() }\n")
			return fingerprint(t, mustBuild(t, toolchain.Request{Dir: dir, Cache: t.TempDir(), Test: test}))
		}
		first, second, other := build("same"), build("same"), build("other")
		if first != second {
			t.Errorf("test %t: two builds of one program: got %s and %s", test, first, second)
		}
		if first == other {
			t.Errorf("test %t: two programs: got %s for both", test, first)
		}
	}
}
