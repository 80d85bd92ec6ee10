package files

import (
	"fmt"
	"os"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
)

// Shared returns programs whose goroutines share files.
func Shared() []finals.Final {
	return []finals.Final{
		{Name: "a file that one makes and one looks for", Run: func(t *explore.T, say func(func() string)) {
			path := inTemp(t, "file")
			finals.Side(t, say,
				func() string { return failed(os.WriteFile(path, []byte("ab"), 0o600)) },
				func() string { _, err := os.Stat(path); return failed(err) })
		}},
		{Name: "a file that one writes and one reads", Run: func(t *explore.T, say func(func() string)) {
			path := inTemp(t, "file")
			put(t, path, "old")
			finals.Side(t, say,
				func() string { return failed(os.WriteFile(path, []byte("n"), 0o600)) },
				func() string { text, err := os.ReadFile(path); return string(text) + failed(err) })
		}},
		{Name: "a file that two remove", Run: func(t *explore.T, say func(func() string)) {
			path := inTemp(t, "file")
			put(t, path, "")
			finals.Side(t, say, func() string { return failed(os.Remove(path)) }, func() string { return failed(os.Remove(path)) })
		}},
		{Name: "an open file that one closes and one writes", Run: func(t *explore.T, say func(func() string)) {
			f := open(t, inTemp(t, "file"), os.O_CREATE|os.O_WRONLY)
			finals.Side(t, say,
				func() string { return failed(f.Close()) },
				func() string { n, err := f.Write([]byte("text")); return fmt.Sprint(n) + failed(err) })
		}},
		{Name: "a root that one closes and one makes a directory in", Run: func(t *explore.T, say func(func() string)) {
			root, err := os.OpenRoot(t.TempDir())
			if err != nil {
				t.Fatalf("%v", err)
			}
			finals.Side(t, say, func() string { return failed(root.Close()) }, func() string { return failed(root.Mkdir("dir", 0o700)) })
		}},
		{Name: "a file in a root that one renames and one reads", Run: func(t *explore.T, say func(func() string)) {
			root := rootIn(t)
			put(t, root.Name()+"/file", "a")
			finals.Side(t, say,
				func() string { return failed(root.Rename("file", "other")) },
				func() string { text, err := root.ReadFile("file"); return string(text) + failed(err) })
		}},
		{Name: "an open file of which two read", Run: func(t *explore.T, say func(func() string)) {
			path := inTemp(t, "file")
			put(t, path, "ab")
			f := open(t, path, os.O_RDONLY)
			read := func() string {
				b := make([]byte, 1)
				_, err := f.Read(b)
				return string(b) + failed(err)
			}
			finals.Side(t, say, read, read)
			shut(t, f)
		}},
		{Name: "a directory that one renames and one makes a file in", Run: func(t *explore.T, say func(func() string)) {
			dir := inTemp(t, "dir")
			makeAll(t, dir)
			finals.Side(t, say,
				func() string { return failed(os.Rename(dir, dir+"2")) },
				func() string { return failed(os.WriteFile(dir+"/file", nil, 0o600)) })
		}},
		{Name: "a file with two names", Run: func(t *explore.T, say func(func() string)) {
			path := inTemp(t, "file")
			put(t, path, "a")
			if err := os.Link(path, path+"2"); err != nil {
				t.Errorf("%v", err)
			}
			finals.Side(t, say,
				func() string { add(t, path, "b"); return "" },
				func() string { text, err := os.ReadFile(path + "2"); return string(text) + failed(err) })
		}},
	}
}

// failed returns text that says whether err is nil.
func failed(err error) string {
	if err != nil {
		return "!"
	}
	return ""
}
