// Package files holds programs whose goroutines share files.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Wrong returns programs whose goroutines share only files, and fail because of that.
func Wrong() []programs.Program {
	wrong := func(name string, run func(*explore.T)) programs.Program {
		return programs.Program{Name: name, Verdict: explore.Violated, Kind: explore.KindCheck, Run: run}
	}
	return []programs.Program{
		wrong("two create what was not there", func(t *explore.T) {
			path, n := inTemp(t, "once"), atomic.Int32{}
			twice(t, func() {
				if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
					put(t, path, "mine")
					n.Add(1)
				}
			})
			if n.Load() != 1 {
				t.Errorf("%d have made it", n.Load())
			}
		}),
		wrong("a lock file that is looked for and then made", func(t *explore.T) {
			path, holders := inTemp(t, "lock"), atomic.Int32{}
			twice(t, func() {
				if f, err := os.Open(path); err == nil {
					shut(t, f)
					return
				}
				f, err := os.Create(path)
				if err != nil {
					t.Errorf("%v", err)
					return
				}
				holders.Add(1)
				shut(t, f)
			})
			if holders.Load() != 1 {
				t.Errorf("%d have the lock", holders.Load())
			}
		}),
		wrong("two create what was not there, in a root", func(t *explore.T) {
			root, n := rootIn(t), atomic.Int32{}
			twice(t, func() {
				if _, err := root.Stat("once"); errors.Is(err, fs.ErrNotExist) {
					if err := root.Mkdir("once", 0o700); err == nil || errors.Is(err, fs.ErrExist) {
						n.Add(1)
					}
				}
			})
			if n.Load() != 1 {
				t.Errorf("%d have found nothing", n.Load())
			}
		}),
		wrong("a root of which a file is renamed while it is read", func(t *explore.T) {
			root := rootIn(t)
			if err := root.WriteFile("config", []byte("old"), 0o600); err != nil {
				t.Fatalf("%v", err)
			}
			t.Go("moves", func() {
				if err := errors.Join(root.Rename("config", "backup"), root.WriteFile("config", []byte("new"), 0o600)); err != nil {
					t.Errorf("%v", err)
				}
			})
			if _, err := root.ReadFile("config"); err != nil {
				t.Errorf("%v", err)
			}
			t.Wait()
		}),
		wrong("a counter in a file", func(t *explore.T) {
			path := inTemp(t, "counter")
			put(t, path, "0")
			twice(t, func() { increment(t, path) })
			expect(t, path, "2")
		}),
		wrong("a directory that is looked for and then made", func(t *explore.T) {
			path := inTemp(t, "dir")
			twice(t, func() {
				if _, err := os.Lstat(path); err == nil {
					return
				}
				if err := os.Mkdir(path, 0o700); err != nil {
					t.Errorf("%v", err)
				}
			})
		}),
		wrong("one name for two", func(t *explore.T) {
			dir := t.TempDir()
			kept := atomic.Int32{}
			for i := range 2 {
				from, to := filepath.Join(dir, strconv.Itoa(i)), filepath.Join(dir, "result")
				t.Go("renames "+strconv.Itoa(i), func() {
					put(t, from, "its")
					if _, err := os.Stat(to); err != nil && os.Rename(from, to) == nil {
						kept.Add(1)
					}
				})
			}
			t.Wait()
			if kept.Load() != 1 {
				t.Errorf("%d were kept under one name", kept.Load())
			}
		}),
		wrong("append beside truncate", func(t *explore.T) {
			path := inTemp(t, "log")
			put(t, path, "old ")
			t.Go("appends", func() { add(t, path, "new ") })
			t.Go("rotates", func() {
				all, err := os.ReadFile(path)
				if err != nil {
					t.Errorf("%v", err)
				}
				put(t, path+".1", string(all))
				if err := os.Truncate(path, 0); err != nil {
					t.Errorf("%v", err)
				}
			})
			t.Wait()
			if all := get(t, path+".1") + get(t, path); all != "old new " {
				t.Errorf("got %q in both", all)
			}
		}),
		wrong("remove beside read", func(t *explore.T) {
			path := inTemp(t, "job")
			put(t, path, "work")
			t.Go("reads", func() {
				if _, err := os.Stat(path); err == nil {
					get(t, path)
				}
			})
			t.Go("removes", func() { remove(t, path) })
			t.Wait()
		}),
		wrong("what is written in place is read in part", func(t *explore.T) {
			path := inTemp(t, "config")
			put(t, path, "old")
			t.Go("writes", func() { put(t, path, "new") })
			if got := get(t, path); got != "old" && got != "new" {
				t.Errorf("got %q", got)
			}
			t.Wait()
		}),
		wrong("what a directory has is gone", func(t *explore.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "one"), "1")
			t.Go("lists", func() {
				all, err := os.ReadDir(dir)
				if err != nil {
					t.Errorf("%v", err)
				}
				for _, e := range all {
					get(t, filepath.Join(dir, e.Name()))
				}
			})
			t.Go("removes", func() { remove(t, filepath.Join(dir, "one")) })
			t.Wait()
		}),
		wrong("two at one position", func(t *explore.T) {
			path := inTemp(t, "table")
			put(t, path, "ab")
			f := open(t, path, os.O_RDONLY)
			for i, want := range []string{"a", "b"} {
				t.Go("reads "+want, func() {
					b := make([]byte, 1)
					if _, err := f.Seek(int64(i), io.SeekStart); err != nil {
						t.Errorf("%v", err)
					}
					if _, err := io.ReadFull(f, b); err != nil || string(b) != want {
						t.Errorf("got %q, %v; want %q", b, err, want)
					}
				})
			}
			t.Wait()
			shut(t, f)
		}),
		wrong("closed beside write", func(t *explore.T) {
			f := open(t, inTemp(t, "out"), os.O_CREATE|os.O_WRONLY)
			t.Go("writes", func() {
				if _, err := fmt.Fprintln(f, "text"); err != nil {
					t.Errorf("%v", err)
				}
			})
			shut(t, f)
			t.Wait()
		}),
		wrong("shorter than it was", func(t *explore.T) {
			path := inTemp(t, "data")
			put(t, path, "0123456789")
			f := open(t, path, os.O_RDWR)
			t.Go("truncates", func() {
				if err := f.Truncate(3); err != nil {
					t.Errorf("%v", err)
				}
			})
			if info, err := f.Stat(); err == nil && info.Size() == 10 {
				if _, err := f.ReadAt(make([]byte, 1), 9); err != nil {
					t.Errorf("%v", err)
				}
			}
			t.Wait()
			shut(t, f)
		}),
		wrong("a directory is removed with what comes into it", func(t *explore.T) {
			dir := inTemp(t, "spool")
			makeAll(t, dir)
			t.Go("adds", func() { put(t, filepath.Join(dir, "new"), "x") })
			if err := os.RemoveAll(dir); err != nil {
				t.Errorf("%v", err)
			}
			t.Wait()
		}),
		wrong("a link that is replaced in two steps", func(t *explore.T) {
			dir := t.TempDir()
			current := filepath.Join(dir, "current")
			put(t, filepath.Join(dir, "v1"), "1")
			put(t, filepath.Join(dir, "v2"), "2")
			symlink(t, "v1", current)
			t.Go("switches", func() {
				remove(t, current)
				symlink(t, "v2", current)
			})
			get(t, current)
			t.Wait()
		}),
	}
}

// Right returns programs whose goroutines share files correctly; their searches
// complete.
func Right() []programs.Program {
	right := func(name string, run func(*explore.T)) programs.Program {
		return programs.Program{Name: name, Verdict: explore.Holds, Run: run}
	}
	return []programs.Program{
		right("O_EXCL", func(t *explore.T) {
			path, holders := inTemp(t, "lock"), atomic.Int32{}
			twice(t, func() {
				f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
				if err != nil {
					return
				}
				holders.Add(1)
				shut(t, f)
			})
			if holders.Load() != 1 {
				t.Errorf("%d have the lock", holders.Load())
			}
		}),
		right("O_EXCL in a root", func(t *explore.T) {
			root, holders := rootIn(t), atomic.Int32{}
			twice(t, func() {
				if f, err := root.OpenFile("lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
					holders.Add(1)
					shut(t, f)
				}
			})
			if holders.Load() != 1 {
				t.Errorf("%d have the lock", holders.Load())
			}
		}),
		right("removed by one of two, in a root", func(t *explore.T) {
			root, removed := rootIn(t), atomic.Int32{}
			if err := root.Mkdir("dir", 0o700); err != nil {
				t.Fatalf("%v", err)
			}
			twice(t, func() {
				if root.Remove("dir") == nil {
					removed.Add(1)
				}
			})
			if removed.Load() != 1 {
				t.Errorf("%d have removed it", removed.Load())
			}
		}),
		right("renamed into place", func(t *explore.T) {
			path := inTemp(t, "config")
			put(t, path, "old")
			t.Go("writes", func() {
				put(t, path+".tmp", "new")
				if err := os.Rename(path+".tmp", path); err != nil {
					t.Errorf("%v", err)
				}
			})
			if got := get(t, path); got != "old" && got != "new" {
				t.Errorf("got %q", got)
			}
			t.Wait()
		}),
		right("a counter in a file, under a lock", func(t *explore.T) {
			var mu sync.Mutex
			path := inTemp(t, "counter")
			put(t, path, "0")
			twice(t, func() {
				mu.Lock()
				defer mu.Unlock()
				increment(t, path)
			})
			expect(t, path, "2")
		}),
		right("a directory as a lock", func(t *explore.T) {
			path, holders := inTemp(t, "lock"), atomic.Int32{}
			twice(t, func() {
				if os.Mkdir(path, 0o700) == nil {
					holders.Add(1)
				}
			})
			if holders.Load() != 1 {
				t.Errorf("%d have the lock", holders.Load())
			}
		}),
		right("two append", func(t *explore.T) {
			path := inTemp(t, "log")
			twice(t, func() { add(t, path, "line ") })
			expect(t, path, "line line ")
		}),
		right("two make all directories", func(t *explore.T) {
			path := inTemp(t, "a")
			twice(t, func() { makeAll(t, path) })
		}),
		right("two write at two places", func(t *explore.T) {
			path := inTemp(t, "table")
			f := open(t, path, os.O_CREATE|os.O_RDWR)
			for i, text := range []string{"a", "b"} {
				t.Go("writes "+text, func() {
					if _, err := f.WriteAt([]byte(text), int64(i)); err != nil {
						t.Errorf("%v", err)
					}
				})
			}
			t.Wait()
			shut(t, f)
			expect(t, path, "ab")
		}),
		right("two read", func(t *explore.T) {
			path := inTemp(t, "data")
			put(t, path, "text")
			twice(t, func() { expect(t, path, "text") })
		}),
	}
}

// rootIn opens a temporary directory as a root, and closes it when the body has ended.
func rootIn(t *explore.T) *os.Root {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Errorf("%v", err)
		}
	})
	return root
}

func inTemp(t *explore.T, name string) string { return filepath.Join(t.TempDir(), name) }

// twice runs do in two goroutines, and waits for them.
func twice(t *explore.T, do func()) {
	t.Go("one", do)
	t.Go("other", do)
	t.Wait()
}

func put(t *explore.T, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Errorf("%v", err)
	}
}

func get(t *explore.T, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v", err)
	}
	return string(text)
}

func expect(t *explore.T, path, want string) {
	if got := get(t, path); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func increment(t *explore.T, path string) {
	n, err := strconv.Atoi(strings.TrimSpace(get(t, path)))
	if err != nil {
		t.Errorf("%v", err)
	}
	put(t, path, strconv.Itoa(n+1))
}

func open(t *explore.T, path string, flag int) *os.File {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return f
}

func shut(t *explore.T, f *os.File) {
	if err := f.Close(); err != nil {
		t.Errorf("%v", err)
	}
}

func add(t *explore.T, path, text string) {
	f := open(t, path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if _, err := f.WriteString(text); err != nil {
		t.Errorf("%v", err)
	}
	shut(t, f)
}

func remove(t *explore.T, path string) {
	if err := os.Remove(path); err != nil {
		t.Errorf("%v", err)
	}
}

func makeAll(t *explore.T, path string) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Errorf("%v", err)
	}
}

func symlink(t *explore.T, old, path string) {
	if err := os.Symlink(old, path); err != nil {
		t.Errorf("%v", err)
	}
}
