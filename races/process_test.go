package races_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// These environment variables make this test binary a process of a test, and name the database.
const (
	roleVariable = "JACQUARD_TEST_ROLE"
	urlVariable  = "JACQUARD_TEST_URL"
)

// A request is a line that a process reads from standard input, and a reply the line that it prints.
type (
	request struct {
		Do    string // read, start, apply, apply all
		Plans []string
	}
	reply struct {
		Position lifecycle.Position // after read: where the plan is; after a refusal: the position that won
		Won      int                // number of transitions made
		Refused  int                // number of transitions lost to another process
		Failure  string             // any other error
	}
)

// process is another process with an instance of the service. One goroutine at a time may use it.
type process struct {
	input   io.WriteCloser
	answers *json.Decoder
}

// startProcess starts a process that ends with the test. The test fails if the process ends with an error.
func startProcess(t *testing.T, url string) *process {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(executable)
	command.Env = append(os.Environ(), roleVariable+"=instance", urlVariable+"="+url,
		"GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE")) // with the race detector a process would otherwise wait a second at its exit
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(input.Close(), command.Wait()); err != nil {
			t.Errorf("the other process: %v", err)
		}
	})
	return &process{input: input, answers: json.NewDecoder(output)}
}

// ask sends a request and waits for its reply until the test's context ends.
func (p *process) ask(t *testing.T, r request) reply {
	t.Helper()
	return p.tell(t.Context(), r)
}

func (p *process) tell(_ context.Context, r request) reply {
	var answer reply
	if err := json.NewEncoder(p.input).Encode(r); err != nil {
		return reply{Failure: fmt.Sprintf("send %s: %v", r.Do, err)}
	}
	if err := p.answers.Decode(&answer); err != nil {
		return reply{Failure: fmt.Sprintf("no reply to %s: %v", r.Do, err)}
	}
	return answer
}

// play is the other process's main function. It answers requests until its input ends, and returns the exit code.
func play(role string) int {
	if err := playInstance(role); err != nil {
		fmt.Fprintln(os.Stderr, "role", role+":", err)
		return 1
	}
	return 0
}

func playInstance(role string) (err error) {
	if role != "instance" {
		return errors.New("no such role; want instance")
	}
	ctx := context.Background()
	service, err := lifecycle.Open(ctx, lifecycle.Config{URL: os.Getenv(urlVariable)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	answers := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		if err := answers.Encode(answer(ctx, service, r)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func answer(ctx context.Context, service *lifecycle.Service, r request) reply {
	var total reply
	for _, id := range r.Plans {
		plan, err := do(ctx, service, r.Do, id)
		var conflict *lifecycle.ConflictError
		var invalid *lifecycle.InvalidTransitionError
		switch {
		case errors.As(err, &conflict):
			total.Refused++
			total.Position = conflict.Current
		case errors.As(err, &invalid):
			total.Refused++
			total.Position = invalid.Current
		case err != nil:
			total.Failure = err.Error()
		default:
			total.Won++
			total.Position = plan.Position()
		}
	}
	return total
}

func do(ctx context.Context, service *lifecycle.Service, what, id string) (lifecycle.Plan, error) {
	switch what {
	case "read":
		return service.GetPlan(ctx, id)
	case "start":
		return service.Transition(ctx, lifecycle.Request{PlanID: id, Command: lifecycle.CommandStartStrategize})
	case "apply", "apply all":
		return service.Transition(ctx, lifecycle.Request{PlanID: id, Command: lifecycle.CommandApplyPlan})
	default:
		return lifecycle.Plan{}, fmt.Errorf("no such request %q", what)
	}
}
