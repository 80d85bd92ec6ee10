package executable_test

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/executable"
)

func ExampleEnv() {
	base := []string{"HOME=/home/ada", "GOMAXPROCS=8", "GORACE=halt_on_error=1", "GODEBUG=panicnil=1"}
	for _, entry := range executable.Env(base, "/tmp/races") {
		fmt.Println(entry)
	}
	// Output:
	// HOME=/home/ada
	// GODEBUG=panicnil=1
	// GOMAXPROCS=1
	// GORACE=log_path=/tmp/races/race halt_on_error=0 exitcode=0 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0 history_size=7 no_huge_pages_for_shadow=0
	// JACQUARD_CONTROL=1
	// JACQUARD_RACELOG=/tmp/races/race
}
