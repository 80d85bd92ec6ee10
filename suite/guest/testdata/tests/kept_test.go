package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// seldom calls f in half of the courses, and not in the first.
func seldom(f func()) {
	var last atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { last.Store(int32(i)) })
	}
	if wg.Wait(); last.Load() == 0 {
		f()
	}
}

var times int

func TestKeptSeldom(*testing.T) { seldom(func() { times++ }) }

var timesAtomic atomic.Int32

func TestKeptAtomic(*testing.T) { seldom(func() { timesAtomic.Add(1) }) }

// TestKeptNone uses a channel that every context has which was cancelled before it was asked.
func TestKeptNone(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-make(chan int):
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
}

var feed io.ReadWriter = new(bytes.Buffer)

// TestKeptBuffer has state that only package bytes reads and writes.
func TestKeptBuffer(*testing.T) {
	seldom(func() {})
	_, _ = feed.Read(make([]byte, 1))
	_, _ = feed.Write([]byte("ab"))
}

var levels [4]int

// TestKeptLevels has state that only the standard library reads.
func TestKeptLevels(*testing.T) {
	seldom(func() {})
	_ = slices.Max(levels[:])
	_ = fmt.Sprint(&levels)
	levels[2] = 7
}

var words = strings.NewReplacer("a", "b")

// TestKeptNothing has no state but what the standard library keeps for itself.
func TestKeptNothing(t *testing.T) {
	seldom(func() {})
	var all struct{ A map[string][]int }
	err := json.Unmarshal([]byte(`{"A": {"x": [1, 2]}}`), &all)
	if text := fmt.Sprintf("%+v %T", all, all); err != nil || words.Replace(text) == text {
		t.Error(text, err)
	}
}

// beside names a file beside the temporary folder, which is emptied after each schedule.
func beside(name string) string { return filepath.Join(filepath.Dir(os.TempDir()), name) }

// TestKeptFile asks for a file that only some courses leave.
func TestKeptFile(t *testing.T) {
	name := beside("kept")
	if _, err := os.Stat(name); err == nil {
		t.Log("an earlier one was here")
	}
	seldom(func() { _ = os.WriteFile(name, nil, 0o600) })
	seldom(func() {})
}

// TestKeptAdded adds to such a file, and reads it.
func TestKeptAdded(t *testing.T) {
	name := beside("added")
	seldom(func() {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, _ = f.WriteString("again")
			_ = f.Close()
		}
		text, err := os.ReadFile(name)
		t.Log(text, err)
	})
}

// TestKeptAnew makes its files before it reads them, and adds to a log that nobody reads.
func TestKeptAnew(t *testing.T) {
	dir := beside("dir")
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Error(err)
	}
	for _, name := range []string{beside("anew"), filepath.Join(t.TempDir(), "file"), filepath.Join(dir, "file")} {
		if err := os.WriteFile(name, []byte("new"), 0o600); err != nil {
			t.Error(err)
		}
		seldom(func() {
			if text, err := os.ReadFile(name); string(text) != "new" {
				t.Error(text, err)
			}
		})
	}
	if f, err := os.OpenFile(beside("log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_, _ = f.WriteString("again")
		_ = f.Close()
	}
}
