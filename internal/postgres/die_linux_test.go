package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/jacquard-go/jacquard/internal/postgres"
)

// serves names the variable that makes this program start a server.
const serves = "JACQUARD_TEST_SERVES"

func TestMain(m *testing.M) {
	if os.Getenv(serves) == "" {
		os.Exit(m.Run())
	}
	server, err := postgres.Open(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(server.URL())
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
}

// A throw-away server ends with the process that started it, even if that does not
// stop it.
func TestServerDiesWithItsProcess(t *testing.T) {
	t.Setenv(postgres.DSN, "")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), serves+"=1")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if strings.Contains(line, postgres.ErrMissing.Error()) {
		t.Skip("did not run: ", line)
	}
	at, uerr := url.Parse(strings.TrimSpace(line))
	if err := errors.Join(err, uerr); err != nil {
		t.Fatal(err, line)
	}
	defer os.RemoveAll(at.Query().Get("host"))
	conn, err := pgx.Connect(ctx, at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := errors.Join(cmd.Process.Kill(), ignoreKilled(cmd.Wait())); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.WaitForNotification(ctx); ctx.Err() != nil {
		t.Errorf("the server still serves: %v", err)
	}
}

// ignoreKilled returns err, or nil if err says that a process was killed.
func ignoreKilled(err error) error {
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return nil
	}
	return err
}
