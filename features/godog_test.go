// Package features is the feature files. It has no steps: they need a program under
// control, which the command godog cannot build, and are in package steps.
package features

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cucumber/godog"
)

// elsewhere is what to do instead.
const elsewhere = `these scenarios run under control, which "godog run" cannot set up; run

    go test ./steps -run TestFeatures -v -godog.format=pretty -godog.tags=@R4,@G8

from the root of the module (go doc ./steps tells more)`

// InitializeTestSuite is what "godog run" calls in this folder.
func InitializeTestSuite(*godog.TestSuiteContext) {
	fmt.Fprintln(os.Stderr, elsewhere)
	os.Exit(2)
}

// asGodog has the test program do what "godog run" makes of this package.
const asGodog = "JACQUARD_TEST_AS_GODOG"

// Whoever runs godog here is told what to run.
func TestGodogIsToldWhatToRun(t *testing.T) {
	if os.Getenv(asGodog) != "" {
		suite := godog.TestSuite{TestSuiteInitializer: InitializeTestSuite, Options: &godog.Options{Format: "progress", Paths: []string{"."}}}
		os.Exit(suite.Run())
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), asGodog+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(out), elsewhere+"\n") {
		t.Errorf("got %v, %s, want exit status 2 and first %q", err, out, elsewhere)
	}
}
