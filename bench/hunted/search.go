package hunted

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/cilog"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// tests and logs are this package's folders of the tests and the logs.
const (
	tests = "testdata/tests"
	logs  = "testdata/logs"
)

// A program is a test with a bug, and the output of go test when it failed.
type program struct {
	name   string
	failed cilog.Failure
}

// programs reads the logs below a folder, each of one test.
func programs(folder string) (all []program, err error) {
	files, err := filepath.Glob(filepath.Join(folder, logs, "*.log"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		got := cilog.Parse(string(text))
		if len(got) != 1 {
			return nil, fmt.Errorf("%s: got %d failures, want 1", file, len(got))
		}
		all = append(all, program{got[0].Test, got[0]})
	}
	return all, nil
}

// sought returns the failure as hunt looks for it.
func (p program) sought() *protocol.Sought {
	f := p.failed
	return &protocol.Sought{Kind: string(f.Kind), Message: f.Message, Functions: f.Functions, Lines: f.Lines, Stacks: f.Stacks}
}

// A binary is the binary of the tests.
type binary struct{ path, folder, temp string }

// build builds the tests below a folder.
func build(ctx context.Context, folder, temp string) (binary, error) {
	path, err := toolchain.Build(ctx, toolchain.Request{Dir: filepath.Join(folder, tests), Test: true, Guest: jacquard.Source()})
	return binary{path, filepath.Join(folder, tests), temp}, err
}

// search looks for the failure s of a test, or for any failure if s is nil, and returns the
// last event.
func (b binary) search(ctx context.Context, test string, s *protocol.Sought, seed uint64, limit int) (e protocol.Event, err error) {
	dir, err := os.MkdirTemp(b.temp, "")
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(dir)
	q := protocol.Request{
		Mode: protocol.Explore, Seed: seed, Schedules: limit, Seek: s,
		Events: filepath.Join(dir, "events"), Temp: filepath.Join(dir, "temp"),
	}
	if err := q.Write(filepath.Join(dir, "request")); err != nil {
		return e, err
	}
	cmd := exec.CommandContext(ctx, b.path, "-test.run=^"+test+"$")
	cmd.Dir, cmd.Env = b.folder, append(executable.Env(os.Environ(), dir), "TMPDIR="+dir, protocol.RequestVar+"="+filepath.Join(dir, "request"))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return e, err
	}
	e, told := protocol.LastEvent(q.Events)
	if !told || e.Test != test || e.Alive || e.Found { // the process died before its end
		return e, fmt.Errorf("%s: got no verdict, want one: %s", test, out)
	}
	return e, nil
}
