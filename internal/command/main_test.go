package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// echoVar makes the test binary a command that ends when its input does, once it was interrupted. Its
// value is the time in which a second signal is the first one.
const echoVar = "JACQUARD_TEST_ECHO"

func TestMain(m *testing.M) {
	d, err := time.ParseDuration(os.Getenv(echoVar))
	if err != nil {
		os.Exit(m.Run())
	}
	serve(&cobra.Command{Use: "weft", RunE: func(cmd *cobra.Command, _ []string) error {
		fmt.Println("begun")
		<-cmd.Context().Done()
		fmt.Println("ending")
		_, err := io.Copy(io.Discard, os.Stdin)
		fmt.Println("ended")
		return errors.Join(err, ErrFailed)
	}}, d)
}

// A signal that comes twice at once, as timeout(1) sends it, leaves the command the time to say what
// it knows. A later one ends it.
func TestSignalTwice(t *testing.T) {
	for echo, want := range map[string]string{"1h": "ended\n", "0s": ""} {
		self := exec.Command(os.Args[0])
		self.Env = append(os.Environ(), echoVar+"="+echo)
		in, err := self.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := self.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs strings.Builder
		self.Stderr = &errs
		if err := self.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		for _, want := range []string{"begun\n", "ending\n"} {
			if line, err := lines.ReadString('\n'); line != want || err != nil {
				t.Fatalf("got %q, %v, want %q", line, err, want)
			}
			if err := self.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan struct{})
		if want != "" {
			err = in.Close()
		} else {
			go signalUntil(done, self.Process) // at some time it does not catch them any more
		}
		if rest, wrong := io.ReadAll(lines); string(rest) != want || errors.Join(err, wrong) != nil {
			t.Errorf("%s: got %q, %v, want %q", echo, rest, errors.Join(err, wrong), want)
		}
		close(done)
		_ = self.Wait()
		if code := self.ProcessState.ExitCode(); (code == ExitFailed) != (want != "") {
			t.Errorf("%s: got exit code %d, %s", echo, code, errs.String())
		}
	}
}

func signalUntil(done chan struct{}, p *os.Process) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			_ = p.Signal(syscall.SIGTERM) // it may be gone
		}
	}
}
