// Package tests has tests as people write them, some right and some wrong, for
// the tests of package guest.
package tests

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

func TestPlain(t *testing.T) {
	fmt.Println("printed")
	t.Log("logged")
}

func TestPlainFails(t *testing.T) { t.Errorf("got %d, want %d", 1, 2) }

func TestSkipped(t *testing.T) { t.Skip("not today") }

func TestBig(t *testing.T) {
	line := make([]byte, 1<<10)
	for i := range line {
		line[i] = 'x'
	}
	for range 4 << 10 {
		fmt.Println(string(line))
	}
}

// TestHelperProcess does what tests of commands do: it runs its own binary.
func TestHelperProcess(t *testing.T) {
	if os.Getenv("WANT_HELPER") == "" {
		return
	}
	fmt.Println("I am the helper")
	os.Exit(3)
}

func Example() {
	fmt.Println("x")
	// Output: x
}

func Example_unordered() {
	fmt.Println("y")
	fmt.Println("x")
	// Unordered output:
	// x
	// y
}

func Example_wrong() {
	fmt.Println("x")
	// Output: y
}

func Example_order() {
	pair(func(i int) { fmt.Println(i) })
	// Output:
	// 1
	// 0
}

func Example_panics() {
	fmt.Println("x")
	panic("in an example")
	// Output: x
}

func FuzzSeeds(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) { t.Log(s) })
}

// Example_callers passes only under go test.
func Example_callers() {
	pcs := make([]uintptr, 50)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		fmt.Println(f.Function)
		if !more {
			break
		}
	}
	// Output:
	// testing.runExamples
	// testing.(*M).Run
	// log/tests.TestMain
	// main.main
	// runtime.main
	// runtime.goexit
}

// TestLoudlyFine fails only under control. Without it, it prints much.
func TestLoudlyFine(t *testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		t.Fatal("under control")
	}
	TestBig(t)
}

// TestCallers looks at the names of its callers.
func TestCallers(t *testing.T) {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for _, want := range []string{"testing.tRunner", "runtime.goexit"} {
		if f, _ := frames.Next(); f.Function != want {
			t.Errorf("got %s, want %s", f.Function, want)
		}
	}
}

// TestHelperInCleanup logs by a helper, whose line is that of the call of Cleanup.
func TestHelperInCleanup(t *testing.T) {
	t.Cleanup(func() {
		t.Helper()
		t.Log("cleaned")
	})
}
