package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
)

// cellEnv tells a process to explore the cell that it names, and nothing else.
const cellEnv = "JACQUARD_EXPLORE_CELL"

// An answer is what such a process writes to its standard output.
type answer struct {
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// Processes returns an [ExploreFunc] that explores every cell in a process of
// its own: a copy of the program at path, whose main function must call
// [Serve] first. That way explorations run side by side, each alone in its
// process, and one that hangs can be killed.
func Processes(path string) ExploreFunc {
	return func(ctx context.Context, id string) (Outcome, error) {
		dir, err := os.MkdirTemp("", "jacquard-steps-")
		if err != nil {
			return Outcome{}, err
		}
		defer func() { _ = os.RemoveAll(dir) }() // it is the system's folder for such things
		var out, errors bytes.Buffer
		cmd := exec.CommandContext(ctx, path)
		cmd.Env = append(executable.Env(os.Environ(), dir), cellEnv+"="+id)
		cmd.Stdout, cmd.Stderr = &out, &errors
		cmd.WaitDelay = time.Second
		if err := cmd.Run(); err != nil {
			return Outcome{}, fmt.Errorf("the process that explores: %w\n%s", err, lastWords(errors.String()))
		}
		var a answer
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			return Outcome{}, fmt.Errorf("the process that explores answered %q: %w", out.String(), err)
		}
		if a.Error != "" {
			return Outcome{}, fmt.Errorf("the process that explores: %s", a.Error)
		}
		return a.Outcome, nil
	}
}

// Serve does what [Processes] asks of this process, if it was started by that:
// it explores with explore and writes the answer to out. It reports whether
// there was anything to do.
func Serve(ctx context.Context, explore ExploreFunc, out io.Writer) (bool, error) {
	id := os.Getenv(cellEnv)
	if id == "" {
		return false, nil
	}
	o, err := explore(ctx, id)
	a := answer{Outcome: o}
	if err != nil {
		a.Error = err.Error()
	}
	return true, json.NewEncoder(out).Encode(a)
}

// lastWords is the beginning of what a dead process wrote, where a crash says
// why.
func lastWords(text string) string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(len(lines), most)], "\n")
}
