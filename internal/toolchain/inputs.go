package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The inputs of a binary are stored beside it, because comparing them is faster than
// asking the go command whether the binary is up to date.
type inputs struct {
	Way   string          // digest of the build environment
	Vet   string          // the check that has succeeded; see Request
	Size  int64           // of the binary
	Files map[string]look // including folders, by path
}

// A look is the state of a file without its content. It is zero for a missing file.
type look struct {
	Size int64
	Time time.Time
}

func lookAt(path string) look {
	info, err := os.Stat(path)
	if err != nil {
		return look{}
	}
	return look{info.Size(), info.ModTime().UTC()}
}

// way returns a digest of the environment that the go command or a compiler may
// use.
func (req Request) way(in installation) string {
	return digest("%q %q", in.all, os.Getenv("PATH"))
}

// inputsFile returns the path at which the inputs of a binary are stored.
func inputsFile(binary string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(binary)), "inputs", filepath.Base(binary)+".json")
}

// unchanged reports whether a binary is up to date: all its inputs look as they did
// when it was built.
func (req Request) unchanged(in installation, binary string) bool {
	text, err := os.ReadFile(inputsFile(binary))
	if err != nil {
		return false
	}
	var was inputs
	if json.Unmarshal(text, &was) != nil || was.Way != req.way(in) || req.Check != nil && was.Vet != req.Vet || len(was.Files) == 0 {
		return false
	}
	info, err := os.Stat(binary)
	if err != nil || info.Size() != was.Size {
		return false
	}
	for path, seen := range was.Files {
		if now := lookAt(path); now.Size != seen.Size || !now.Time.Equal(seen.Time) {
			return false
		}
	}
	return true
}

// keep stores the inputs of a binary whose build began at since. It stores nothing if
// one of them may have changed since then, or if they are unknown.
func (n inputs) keep(binary string, since time.Time) error {
	file := inputsFile(binary)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := os.Stat(binary)
	if err != nil || len(n.Files) == 0 {
		return err
	}
	n.Size = info.Size()
	for _, seen := range n.Files {
		if seen.Time.After(since.Add(-coarse(seen.Time))) {
			return nil
		}
	}
	text, err := json.Marshal(n)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err != nil {
		return err
	}
	return Replace(file, text)
}

// coarse returns how far apart two changes of a file must be for its time to differ:
// some file systems store only seconds.
func coarse(t time.Time) time.Duration {
	if t.Nanosecond() == 0 {
		return 2 * time.Second
	}
	return 20 * time.Millisecond
}

// A source is a package of a binary, as listed by the go command.
type source struct {
	Dir                                         string
	Standard                                    bool
	CgoFiles                                    []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
	Module                                      *struct{ GoMod string }
}

// sources asks the go command for the inputs of a binary: the folders of its packages
// with their files, and the files of its modules. The result is empty if it could be
// incomplete, since C code may include any file. It omits the module cache, which never
// changes.
func (req Request) sources(ctx context.Context, in installation, index string) (inputs, error) {
	none := inputs{}
	args := []string{"list", "-deps", "-json=Dir,Standard,CgoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Module", "-tags=" + allTags(req, in), "-overlay=" + index}
	if req.Test {
		args = append(args, "-test")
	}
	if !req.NoRace {
		args = append(args, "-race")
	}
	out, err := run(ctx, req.what(), goCommand{path: in.command(), dir: req.Dir, args: append(append(args, req.Flags...), req.Package), env: environment(req, in, "")})
	if err != nil {
		return none, err
	}
	paths := in.moduleFiles(req)
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var s source
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return none, err
		}
		if s.Standard || in.constant(s.Dir) {
			continue
		}
		if len(s.CgoFiles) > 0 {
			return none, nil
		}
		paths = append(paths, s.paths()...)
	}
	n := inputs{Way: req.way(in), Vet: req.Vet, Files: make(map[string]look)}
	for _, path := range paths {
		if path != "" {
			n.Files[path] = lookAt(path)
		}
	}
	return n, nil
}

// constant reports whether a folder is in the module cache.
func (in installation) constant(dir string) bool {
	rel, err := filepath.Rel(in.GOMODCACHE, dir)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

// moduleFiles returns the files that determine the modules of a build.
func (in installation) moduleFiles(req Request) (paths []string) {
	for _, mod := range []string{in.GOMOD, in.GOWORK} {
		if mod != "" && mod != os.DevNull {
			paths = append(paths, mod, strings.TrimSuffix(mod, ".mod")+".sum", mod+".sum", filepath.Join(filepath.Dir(mod), "vendor", "modules.txt"))
		}
	}
	for _, flag := range req.Flags {
		if file, ok := strings.CutPrefix(flag, "-modfile="); ok {
			if !filepath.IsAbs(file) {
				file = filepath.Join(req.Dir, file)
			}
			paths = append(paths, file, strings.TrimSuffix(file, ".mod")+".sum")
		}
	}
	return paths
}

// paths returns the folder of a package, its files, and the files that it embeds.
func (s source) paths() []string {
	paths := []string{s.Dir}
	if s.Module != nil {
		paths = append(paths, s.Module.GoMod)
	}
	entries, _ := os.ReadDir(s.Dir) // a build would fail on an unreadable folder
	for _, e := range entries {
		if !e.IsDir() {
			paths = append(paths, filepath.Join(s.Dir, e.Name()))
		}
	}
	for _, file := range slices.Concat(s.EmbedFiles, s.TestEmbedFiles, s.XTestEmbedFiles) {
		path := filepath.Join(s.Dir, file)
		paths = append(paths, path)
		for dir := filepath.Dir(path); dir != s.Dir && strings.HasPrefix(dir, s.Dir); dir = filepath.Dir(dir) {
			paths = append(paths, dir) // a new file there may match the pattern
		}
	}
	return paths
}
