package suite

import (
	"fmt"
	"strings"
)

// replayLine is the command that replays a failure of the package, with TEST and
// CARD for what only the test binary knows.
func (r *run) replayLine() string {
	line := r.cfg.Command + " replay"
	if r.cfg.NoRace {
		line += " -race=false"
	}
	if len(r.cfg.Tags) > 0 {
		line += " -tags " + strings.Join(r.cfg.Tags, ",")
	}
	return fmt.Sprintf("%s %s.TEST CARD", line, r.ImportPath)
}
