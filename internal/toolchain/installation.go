package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

// An installation is the go command's environment in a directory, after it has switched
// to the toolchain that the module asks for.
type installation struct {
	GOROOT, GOVERSION, GOOS, GOARCH string
	CC, GOFLAGS, GOEXPERIMENT       string
	GOCACHE, GOMODCACHE             string
	GOMOD, GOWORK, GO111MODULE      string

	all string // the whole environment, as text

	// linked says that GOROOT is a link made by linkDownloaded.
	linked bool
}

// installed asks the go command in PATH for its environment in dir.
func installed(ctx context.Context, dir string) (installation, error) {
	var in installation
	out, err := run(ctx, "asking the go command for its version", goCommand{dir: dir, args: []string{"env", "-json"}})
	if err != nil {
		return in, err
	}
	all := make(map[string]string)
	if err := errors.Join(json.Unmarshal([]byte(out), &in), json.Unmarshal([]byte(out), &all)); err != nil {
		return in, fmt.Errorf("go env -json: %w in %.80q", err, out)
	}
	delete(all, "GOGCCFLAGS") // it contains a temporary folder
	in.all = fmt.Sprint(all)
	if in.GO111MODULE == "off" {
		return in, ErrNoModules
	}
	if in.GOOS != runtime.GOOS || in.GOARCH != runtime.GOARCH {
		return in, fmt.Errorf("%w: control needs a binary for this machine, %s/%s, got %s/%s",
			overlay.ErrUnsupported, runtime.GOOS, runtime.GOARCH, in.GOOS, in.GOARCH)
	}
	return in, nil
}

// Folders returns the folders of the source files that the go command builds in dir, as
// the value of [executable.FoldersVar].
func Folders(ctx context.Context, dir string) (string, error) {
	in, err := installed(ctx, dir)
	if err != nil {
		return "", err
	}
	lines := "\t" + filepath.Join(in.GOROOT, "src") + "\n@\t" + in.GOMODCACHE
	modules, err := run(ctx, "asking the go command for the module", goCommand{dir: dir, args: []string{"list", "-m", "-json=false", "-f", "{{.Path}}\t{{.Dir}}"}})
	if err != nil {
		return lines, nil // dir is in no module
	}
	return lines + "\n" + strings.TrimSpace(modules) + in.replaced(ctx, dir), nil
}

// replaced returns the lines of [Folders] for modules whose files are elsewhere than their names
// tell. It downloads nothing; what the go command cannot tell without that is left out.
func (in installation) replaced(ctx context.Context, dir string) string {
	const format = "{{if .Replace}}{{.Path}}{{with .Version}}@{{.}}{{end}}\t{{.Dir}}{{end}}"
	root := in.GOMOD
	if in.GOWORK != "" && in.GOWORK != "off" {
		root = in.GOWORK
	}
	vendor := filepath.Join(filepath.Dir(root), "vendor")
	vendored, _ := os.ReadFile(filepath.Join(vendor, "modules.txt")) // nil if there is no such folder
	if text, err := os.ReadFile(root); vendored == nil && root == in.GOMOD && (err != nil || !strings.Contains(string(text), "=>")) {
		return ""
	}
	all, err := run(ctx, "asking the go command for replaced modules", goCommand{dir: dir, args: []string{"list", "-m", "-e", "-json=false", "-f", format, "all"}, env: []string{"GOPROXY=off"}})
	if err != nil { // it uses the vendor folder
		all = ""
		for line := range strings.Lines(string(vendored)) {
			if f := strings.Fields(line); len(f) > 2 && f[0] == "#" && f[2] != "=>" {
				all += f[1] + "@" + f[2] + "\t" + filepath.Join(vendor, f[1]) + "\n"
			}
		}
	}
	return strings.TrimSuffix("\n"+all, "\n")
}

// linkDownloaded gives a downloaded toolchain, which the go command stores in
// GOMODCACHE, a GOROOT outside: a symbolic link in cache. The go command rejects an
// overlay for files below GOMODCACHE, but compares only names.
func (in installation) linkDownloaded(cache string) (installation, error) {
	if rel, err := filepath.Rel(in.GOMODCACHE, in.GOROOT); err != nil || !filepath.IsLocal(rel) {
		return in, nil
	}
	hash := sha256.Sum256([]byte(in.GOROOT))
	link := filepath.Join(cache, "goroot-"+hex.EncodeToString(hash[:8]))
	if err := os.Symlink(in.GOROOT, link); err != nil && !errors.Is(err, os.ErrExist) {
		return in, cacheError(cache, err)
	}
	in.GOROOT, in.linked = link, true
	return in, nil
}

// command returns the path of the go command that builds, "" for the one in PATH.
func (in installation) command() string {
	if !in.linked {
		return ""
	}
	return filepath.Join(in.GOROOT, "bin", "go")
}

// overlay derives the overlay below cache and returns its JSON file.
func (in installation) overlay(cache string, guest fs.FS) (string, error) {
	file, err := overlay.Write(cache, overlay.Toolchain{
		Root: in.GOROOT, Version: in.GOVERSION, OS: in.GOOS, Arch: in.GOARCH,
	}, guest)
	if err != nil {
		return "", cacheError(cache, err)
	}
	return file, nil
}

// needsC reports whether the race detector uses cgo. On macOS it does not.
func (in installation) needsC() bool { return in.GOOS != "darwin" }

// checkCompiler looks for the C compiler where the go command will.
func (in installation) checkCompiler() error {
	if !in.needsC() {
		return nil
	}
	name := firstWord(in.CC)
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("%w: %q not found (CC)", ErrNoCompiler, name)
	}
	return nil
}

// flag returns the value that GOFLAGS gives to a flag of the go command, "" if none.
// The same flag on the command line overrides it.
func (in installation) flag(name string) string {
	value := ""
	for flag := range strings.FieldsSeq(in.GOFLAGS) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), name+"="); ok {
			value = v // the last one wins
		}
	}
	return value
}

// firstWord returns the first word of a command line whose words may be quoted as the
// go command allows: as a whole, without escapes.
func firstWord(s string) string {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		word, _, _ := strings.Cut(s[1:], s[:1])
		return word
	}
	word, _, _ := strings.Cut(s, " ")
	return word
}
