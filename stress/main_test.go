package stress_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/jacquard-go/jacquard/stress"
)

// roleVariable makes this test binary a child in a role.
const roleVariable = "JACQUARD_TEST_STRESS"

// The roles.
const (
	worker  = "worker"  // does its job
	mute    = "mute"    // hangs
	babbler = "babbler" // prints much, but no answer
	liar    = "liar"    // reports that it found nothing
)

// TestMain runs the tests, or is a child.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

func play(role string) int {
	switch role {
	case worker:
		if err := stress.Work(context.Background(), append(stress.Rows(), planted()...), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	case mute:
		time.Sleep(time.Hour)
	case babbler:
		for range 1 << 13 {
			fmt.Fprintln(os.Stdout, strings.Repeat("b", 1<<10))
			fmt.Fprintln(os.Stderr, strings.Repeat("B", 1<<10))
		}
	case liar:
		fmt.Println(`{"subject": "canary/map-unlocked", "campaign": "body", "rounds": 7}`)
	}
	return 0
}

// config returns a Config whose children are this test binary in a role.
func config(t *testing.T, role string, rows []stress.Row) stress.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return stress.Config{
		Rows: rows, Command: []string{self}, Env: []string{roleVariable + "=" + role}, Time: 300 * time.Millisecond,
		Stall: enough, StartUp: enough,
	}
}
