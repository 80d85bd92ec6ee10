package explore_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// TestMain runs the examples under control. Tests do that for themselves, but examples have
// no testing.TB for it.
func TestMain(m *testing.M) {
	flag.Parse()
	if explore.Controlled() {
		os.Exit(m.Run())
	}
	wanted, err := examplesWanted()
	if err == nil && wanted {
		err = flag.Set("test.skip", strings.TrimPrefix(flag.Lookup("test.skip").Value.String()+"|^Example", "|"))
	}
	code := m.Run()
	if err == nil && wanted {
		err = runExamples()
	}
	if err != nil {
		fmt.Println("examples:", err)
		code = 1
	}
	os.Exit(code)
}

var exampleName = regexp.MustCompile(`(?m)^func (Example\w*)`)

// examplesWanted reports whether the flags select an example in this process.
func examplesWanted() (bool, error) {
	for _, other := range []string{"test.list", "test.fuzz"} {
		if flag.Lookup(other).Value.String() != "" {
			return false, nil
		}
	}
	pattern, err := regexp.Compile(flag.Lookup("test.run").Value.String())
	if err != nil {
		return false, nil // m.Run reports the error
	}
	files, err := filepath.Glob("*_test.go")
	for _, file := range files {
		text, rerr := os.ReadFile(file)
		err = errors.Join(err, rerr)
		for _, found := range exampleName.FindAllStringSubmatch(string(text), -1) {
			if pattern.MatchString(found[1]) {
				return true, err
			}
		}
	}
	return false, err
}

// runExamples runs the selected examples in a controlled build of this package.
func runExamples() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: ".", Test: true})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "jacquard-examples-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cmd := exec.CommandContext(ctx, binary, "-test.run="+flag.Lookup("test.run").Value.String(),
		"-test.skip=^Test|^Fuzz|^Benchmark", "-test.v="+flag.Lookup("test.v").Value.String())
	cmd.Env = executable.Env(os.Environ(), dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// A console stands in for the test that an example would be in. Its methods print the
// test's name and the verdict in their text.
type console struct {
	testing.TB
	name string
}

func (console) Helper()                  {}
func (c console) Name() string           { return c.name }
func (console) Context() context.Context { return context.Background() }

func (c console) Logf(format string, args ...any)   { c.print(fmt.Sprintf(format, args...)) }
func (c console) Errorf(format string, args ...any) { c.print(fmt.Sprintf(format, args...)) }
func (c console) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (c console) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (c console) Failed() bool                      { return false }

var verdictWord = regexp.MustCompile(`holds|violated: \w+|unknown`)

func (c console) print(text string) { fmt.Println(c.name, verdictWord.FindString(text)) }
