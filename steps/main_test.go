package steps_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/steps"
)

// childEnv tells a process that was started to explore how to misbehave.
const childEnv = "JACQUARD_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "garble":
		fmt.Println("all is well")
		os.Exit(0)
	case "die":
		panic("died of a race")
	case "hang":
		time.Sleep(time.Hour) // until it is killed
	}
	served, err := steps.Serve(context.Background(), steps.Run, os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case served:
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
