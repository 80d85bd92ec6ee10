package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// DSN is the environment variable that names a server to use: a postgres:// URL
// of a user who may create databases.
const DSN = "JACQUARD_POSTGRES_DSN"

// ErrMissing says that no server is available here, and why.
var ErrMissing = errors.New("no PostgreSQL here")

// A Server is a running PostgreSQL server. NewDatabase is safe for concurrent use; the
// other methods may be called by one goroutine at a time.
type Server struct {
	admin *url.URL // of a database that always exists
	bin   string   // folder of the binaries; empty if DSN names the server
	dir   string   // folder of the cluster
	owner owner
	cmd   *exec.Cmd
	ended chan error // receives the result of cmd.Wait
}

// Open connects to the server that DSN names, or starts one. The error matches
// ErrMissing if there is neither.
func Open(ctx context.Context) (*Server, error) {
	if dsn := os.Getenv(DSN); dsn != "" {
		admin, err := url.Parse(dsn)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read as a URL", DSN) // it may hold a password
		}
		return &Server{admin: admin}, nil
	}
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	return start(ctx, bin)
}

// binaries finds the folder that has initdb and postgres.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil && executable(filepath.Join(filepath.Dir(path), "postgres")) {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin") // where Debian has them, outside PATH
	if err != nil {
		return "", err
	}
	for _, dir := range found {
		if executable(filepath.Join(dir, "initdb")) && executable(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%w: %s is not set, and initdb and postgres are not installed", ErrMissing, DSN)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o111 != 0
}

// start makes a cluster and starts its server.
func start(ctx context.Context, bin string) (_ *Server, err error) {
	s := &Server{bin: bin}
	if s.owner, err = serverOwner(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "jacquard-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.owner.give(s.dir); err != nil {
		return nil, err
	}
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"),
		"--pgdata", s.data(), "--username", "jacquard", "--auth", "trust", "--no-sync", "--no-instructions", "--encoding", "UTF8", "--locale", "C")
	s.owner.run(initdb)
	initdb.Dir = s.dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	s.admin = &url.URL{Scheme: "postgres", User: url.User("jacquard"), Path: "/postgres", RawQuery: url.Values{"host": {s.dir}}.Encode()}
	return s, s.Start(ctx)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Start starts the server again after Stop, and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd = exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-k", s.dir,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200")
	s.owner.run(s.cmd)
	dieWithUs(s.cmd)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.dir, log, log
	started := make(chan error)
	s.ended = make(chan error, 1)
	go serve(s.cmd, started, s.ended)
	if err := <-started; err != nil {
		s.cmd = nil
		return err
	}
	for {
		err := s.Exec(ctx, "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case ended := <-s.ended:
			s.cmd = nil
			out, _ := os.ReadFile(log.Name())
			return fmt.Errorf("postgres ended: %v\n%s", ended, out)
		case <-ctx.Done():
			return fmt.Errorf("wait for postgres: %w (last: %v)", ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// serve runs a server, on a locked thread: see dieWithUs.
func serve(cmd *exec.Cmd, started, ended chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	started <- err
	if err == nil {
		ended <- cmd.Wait()
	}
}

// URL returns the URL of the server's own database, which DSN may name for
// another process. It may hold a password.
func (s *Server) URL() string { return s.admin.String() }

// Own reports whether the server is a throw-away one, which can be stopped and
// started.
func (s *Server) Own() bool { return s.dir != "" }

// Stop ends a throw-away server and its connections at once; committed data is there
// when it is started again.
func (s *Server) Stop() error {
	return s.end(os.Interrupt) // fast shutdown
}

// Restart stops a throw-away server and starts it again.
func (s *Server) Restart(ctx context.Context) error {
	return errors.Join(s.Stop(), s.Start(ctx))
}

// Crash ends a throw-away server without a shutdown checkpoint, and starts it again:
// committed data is there, except commits that did not wait for the disk.
func (s *Server) Crash(ctx context.Context) error {
	return errors.Join(s.end(syscall.SIGQUIT), s.Start(ctx)) // immediate shutdown
}

// end ends the server by a signal.
func (s *Server) end(how os.Signal) error {
	if s.cmd == nil {
		return nil
	}
	err := s.cmd.Process.Signal(how)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		err = errors.Join(err, errors.New("postgres did not stop; killed"), s.cmd.Process.Kill())
		<-s.ended
	}
	s.cmd = nil
	return err
}

// Close stops a throw-away server and removes it.
func (s *Server) Close() error {
	if !s.Own() {
		return nil
	}
	return errors.Join(s.Stop(), os.RemoveAll(s.dir))
}

// Exec runs statements in the server's own database.
func (s *Server) Exec(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.admin.String())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// NewDatabase creates an empty database and returns its URL, and a function that drops it.
func (s *Server) NewDatabase(ctx context.Context) (address string, drop func(context.Context) error, err error) {
	name := "jacquard_" + strings.ToLower(rand.Text())
	if err := s.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
		return "", nil, fmt.Errorf("create a database: %w", err)
	}
	u := *s.admin
	u.Path = "/" + name
	return u.String(), func(ctx context.Context) error {
		return s.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
	}, nil
}
