package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Network returns programs whose goroutines communicate through the operating
// system.
func Network() []Program {
	return []Program{
		{"loopback", explore.Holds, "", loopback},
		{"os pipe", explore.Holds, "", osPipe},
		{"net pipe", explore.Holds, "", netPipe},
		{"read deadline", explore.Holds, "", readDeadline},
		{"listener that nobody closes", explore.Violated, explore.KindLeak, func(t *explore.T) {
			l := listen(t)
			t.Go("other", func() {})
			go func() { _, _ = l.Accept() }()
		}},
		{"both sides read", explore.Violated, explore.KindDeadlock, bothRead},
		{"order of two clients", explore.Violated, explore.KindCheck, twoClients},
	}
}

func listen(t *explore.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Inconclusive("%v", err)
		t.SkipNow()
	}
	return l
}

// loopback runs a client and a server in one execution.
func loopback(t *explore.T) {
	l := listen(t)
	t.Go("server", func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		if _, err := io.Copy(c, c); err != nil {
			t.Error(err)
		}
	})
	t.Go("client", func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		if _, err := c.Write([]byte("hello")); err != nil {
			t.Error(err)
		}
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Error(err)
		}
		if b, err := io.ReadAll(c); err != nil || string(b) != "hello" {
			t.Errorf("got %q, %v", b, err)
		}
	})
	t.Wait()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func osPipe(t *explore.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Inconclusive("%v", err)
		return
	}
	defer r.Close()
	t.Go("writer", func() {
		defer w.Close()
		for range 3 {
			if _, err := w.WriteString("x"); err != nil {
				t.Error(err)
			}
		}
	})
	t.Go("reader", func() {
		if b, err := io.ReadAll(r); err != nil || string(b) != "xxx" {
			t.Errorf("got %q, %v", b, err)
		}
	})
	t.Wait()
}

func netPipe(t *explore.T) {
	a, b := net.Pipe()
	t.Go("one", func() { defer a.Close(); _, _ = a.Write([]byte("x")) })
	t.Go("other", func() {
		if got, err := io.ReadAll(b); err != nil || string(got) != "x" {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Wait()
}

// readDeadline waits an hour for a client that sends nothing.
func readDeadline(t *explore.T) {
	l := listen(t)
	defer l.Close()
	began := time.Now()
	t.Go("server", func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_ = c.SetReadDeadline(time.Now().Add(time.Hour))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Go("client", func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		time.Sleep(2 * time.Hour)
	})
	t.Wait()
	if d := time.Since(began); d != 2*time.Hour {
		t.Errorf("took %v, want 2h", d)
	}
}

func bothRead(t *explore.T) {
	l := listen(t)
	t.Go("server", func() {
		if c, err := l.Accept(); err == nil {
			_, _ = c.Read(make([]byte, 1))
		}
	})
	t.Go("client", func() {
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			_, _ = c.Read(make([]byte, 1))
		}
	})
	t.Wait()
}

// twoClients assumes that the client which is started first is served first.
func twoClients(t *explore.T) {
	l := listen(t)
	defer l.Close()
	for _, name := range []string{"a", "b"} {
		t.Go("client "+name, func() {
			if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
				_, _ = c.Write([]byte(name))
				_ = c.Close()
			}
		})
	}
	var got bytes.Buffer
	for range 2 {
		if c, err := l.Accept(); err == nil {
			_, _ = io.Copy(&got, c)
			_ = c.Close()
		}
	}
	t.Wait()
	if got.String() != "ab" {
		t.Errorf("got %s first", got.String()[:1])
	}
}

// HTTP serves a request over loopback, with net/http on both sides.
func HTTP(t *explore.T) {
	l := listen(t)
	var served atomic.Int32
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, served.Add(1))
	})}
	t.Go("server", func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	transport := &http.Transport{}
	t.Go("client", func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.Addr().String(), nil)
		res, err := (&http.Client{Transport: transport}).Do(req)
		if err != nil {
			t.Error(err)
		} else {
			b, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if string(b) != "1" || err != nil {
				t.Errorf("got %q, %v", b, err)
			}
		}
		transport.CloseIdleConnections()
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	t.Wait()
}

// Subprocess runs another program and reads what it writes.
func Subprocess(t *explore.T) {
	t.Go("other", func() {})
	out, err := exec.Command("echo", "hello").Output()
	if err != nil || string(out) != "hello\n" {
		t.Errorf("got %q, %v", out, err)
	}
	t.Wait()
}

// Client asks a server outside the execution.
func Client(address string) func(*explore.T) {
	return func(t *explore.T) {
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Inconclusive("%v", err)
					return
				}
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(time.Minute))
				_, _ = c.Write([]byte("x"))
				if _, err := c.Read(make([]byte, 1)); err != nil {
					t.Error(err)
				}
			})
		}
		t.Wait()
	}
}

// Ask waits for an answer without a deadline.
func Ask(t *explore.T, address string) {
	t.Go("other", func() {})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Inconclusive("%v", err)
		return
	}
	defer c.Close()
	_, _ = c.Read(make([]byte, 1))
	t.Wait()
}
