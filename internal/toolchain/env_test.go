package toolchain_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A binary under this environment has one processor, continues after a race, reports
// the same race each time, in a file, and exits as if there was none.
func TestEnv(t *testing.T) {
	dir := module(t, "example.com/racy", map[string]string{"main.go": `package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	for range 3 {
		n, done := 0, make(chan bool)
		go func() { n++; close(done) }()
		n++
		<-done
	}
	fmt.Println(runtime.GOMAXPROCS(0), os.Getenv("JACQUARD_CONTROL"), os.Getenv("JACQUARD_RACELOG"))
}
`})
	binary := mustBuild(t, toolchain.Request{Dir: dir, Cache: t.TempDir()})
	for _, name := range []string{"plain", "with space", "with \"quotes\"", "it's", "a:b,c"} {
		raceDir := filepath.Join(t.TempDir(), name)
		write(t, raceDir, "here", "")
		got, err := controlled(binary, raceDir)
		if want := "1 1 " + filepath.Join(raceDir, "race"); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
		if n := strings.Count(reports(t, raceDir), "WARNING: DATA RACE"); n != 3 {
			t.Errorf("%s: got %d reports, want 3", name, n)
		}
	}
}
