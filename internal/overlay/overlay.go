package overlay

import (
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
)

//go:embed context/*.txt hash/maphash/*.txt internal/poll/*.txt internal/runtime/maps/*.txt os/*.txt runtime/*.txt testing/*.txt
var added embed.FS

// ErrUnsupported is wrapped by the errors of [Write] if the overlay does not support
// the Go version or the processor.
var ErrUnsupported = errors.New("not supported")

// Supported describes the Go versions with which the overlay was tested.
const Supported = "go1.25, go1.26 or go1.27"

var supported = regexp.MustCompile(`^go(1\.(?:25|26|27))(?:[.\- ]|rc|$)`)

// A Toolchain is the Go installation from which an overlay is derived.
type Toolchain struct {
	Root    string // GOROOT
	Version string // GOVERSION, such as go1.26.8
	OS      string // GOOS
	Arch    string // GOARCH
}

// An AnchorError says that a file of the installation does not have the expected
// text.
type AnchorError struct {
	Version, File, Anchor string
	Got, Want             int // occurrences
}

func (e *AnchorError) Error() string {
	return fmt.Sprintf("overlay for %s: %s: anchor %q occurs %d times, want %d", e.Version, e.File, firstLine(e.Anchor), e.Got, e.Want)
}

// Write derives the overlay of tc below dir, unless it exists already, and returns the
// path of its JSON file. The same installation always gives the same path. An overlay that
// was moved here with its folder, as CI systems do with caches, is written anew, because it
// names its files by whole paths. Several processes may call Write at the same time.
//
// If guest is not nil, it is the source of this module, and the overlay adds
// suite/guest and its imports to every test binary.
func Write(dir string, tc Toolchain, guest fs.FS) (string, error) {
	files, err := derive(tc)
	if err != nil {
		return "", err
	}
	if guest != nil {
		if err := addGuest(files, guest); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
	}
	home := filepath.Join(dir, "overlay-"+digest(tc, files)[:16])
	index, replace, texts := filepath.Join(home, "overlay.json"), make(map[string]string, len(files)), make(map[string]string, len(files))
	for name, text := range files {
		path := filepath.Join(home, strings.ReplaceAll(name, "/", "_"))
		replace[filepath.Join(tc.Root, "src", filepath.FromSlash(name))], texts[path] = path, text
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	if there, err := os.ReadFile(index); err == nil && string(there) == string(text) {
		return index, nil
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	for path, text := range texts {
		if err := writeFile(path, text); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
	}
	if err := writeFile(index, string(text)); err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return index, nil
}

// Edit returns a file of the installation, by its path below GOROOT/src and its text, with the
// overlay's changes. The error is an [AnchorError] or wraps [ErrUnsupported], or says what else the
// text does not have.
func Edit(tc Toolchain, name, text string) (string, error) {
	p, err := newPatches(tc)
	if err != nil {
		return "", err
	}
	return p.edit(name, text)
}

// patches are the changes to the files of an installation.
type patches struct {
	Toolchain
	arch
	edits map[string][]edit // by file
}

func newPatches(tc Toolchain) (*patches, error) {
	release := supported.FindStringSubmatch(tc.Version)
	if release == nil {
		return nil, fmt.Errorf("%w: control needs %s, got %s", ErrUnsupported, Supported, tc.Version)
	}
	a, ok := arches[tc.Arch]
	if !ok {
		return nil, fmt.Errorf("%w: control needs amd64 or arm64, got %s", ErrUnsupported, tc.Arch)
	}
	p := &patches{tc, a, map[string][]edit{a.file: nil, atomicsFile: nil}}
	for _, e := range edits() {
		if e.only == "" || strings.Contains(e.only, release[1]) {
			p.edits[e.file] = append(p.edits[e.file], e)
		}
	}
	return p, nil
}

func (p *patches) edit(name, original string) (text string, err error) {
	text = original
	for _, e := range p.edits[name] {
		if text, err = e.apply(text, p.Version); err != nil {
			return "", err
		}
	}
	if name == p.file {
		if text, err = editAssembly(text, p.arch); err != nil {
			return "", fmt.Errorf("overlay for %s: %s: %w", p.Version, name, err)
		}
	}
	if strings.HasSuffix(name, ".go") {
		text = numbered(original, text)
	}
	return text, nil
}

// derive returns the overlay's files, by path below GOROOT/src.
func derive(tc Toolchain) (map[string]string, error) {
	p, err := newPatches(tc)
	if err != nil {
		return nil, err
	}
	src, files := filepath.Join(tc.Root, "src"), make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(p.edits)) {
		text, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("overlay for %s: %w", tc.Version, err)
		}
		if files[name], err = p.edit(name, string(text)); err != nil {
			return nil, err
		}
	}
	if err := addAtomics(files, p.arch); err != nil {
		return nil, fmt.Errorf("overlay for %s: %w", tc.Version, err)
	}
	if err := addStandard(files, src); err != nil {
		return nil, fmt.Errorf("overlay for %s: %w", tc.Version, err)
	}
	return files, addFiles(files)
}

// addFiles adds the files that the edits call. The go command ignores those of other
// processors.
func addFiles(files map[string]string) error {
	err := fs.WalkDir(added, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := added.ReadFile(name)
		files[strings.TrimSuffix(name, ".txt")] = string(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

func (e edit) apply(text, version string) (string, error) {
	want := max(e.count, 1)
	if got := strings.Count(text, e.anchor); got != want && !(e.maybe && got == 0) {
		return "", &AnchorError{Version: version, File: e.file, Anchor: e.anchor, Got: got, Want: want}
	}
	return strings.ReplaceAll(text, e.anchor, e.with), nil
}

// numbered tells the compiler, with a line directive behind each change, which line of the
// original follows: stacks then have the lines of the file that people can open. The column is
// there because without one the directive would remove the file's name.
func numbered(original, edited string) string {
	var b strings.Builder
	was, is := strings.SplitAfter(original, "\n"), strings.SplitAfter(edited, "\n")
	for n := 0; len(is) > 0; {
		if dropped, added := change(was[n:], is); dropped > 0 || added > 0 {
			n += dropped
			b.WriteString(strings.Join(is[:added], ""))
			if is = is[added:]; dropped != added {
				fmt.Fprintf(&b, "//line :%d:1\n", n+1)
			}
			continue
		}
		b.WriteString(is[0])
		n, is = n+1, is[1:]
	}
	return b.String()
}

// few is the length of a line that may say nothing, such as "\treturn\n", and rare the weight of a
// dropped line: most edits only add.
const (
	few  = 8
	rare = 8
)

// change returns how many lines were dropped here, and how many added: as few as possible before
// the texts agree again, in a line that says something, in three lines, or to the end.
func change(was, is []string) (dropped, added int) {
	for weight := 0; weight < rare*len(was)+len(is); weight++ {
		for dropped = 0; rare*dropped <= weight && dropped <= len(was); dropped++ {
			if added = weight - rare*dropped; added > len(is) {
				continue
			}
			some, others := was[dropped:min(dropped+3, len(was))], is[added:min(added+3, len(is))]
			if slices.Equal(some, others) || len(some) > 0 && len(others) > 0 && some[0] == others[0] && len(some[0]) > few {
				return dropped, added
			}
		}
	}
	return len(was), len(is)
}

func digest(tc Toolchain, files map[string]string) string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	h := sha256.New()
	fmt.Fprintln(h, tc.Root, tc.Version, tc.OS, tc.Arch)
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// writeFile writes a file atomically, so that other processes never see a part of it,
// and sets its modification time.
func writeFile(path, text string) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		date := dateOf(text)
		err = os.Chtimes(tmp.Name(), date, date)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// dateOf returns a time long ago that depends on the text. The go command does not find
// a standard library package that only an overlay contains if one of its files is
// younger than two seconds; and it takes two files with the same path, size and time to
// be the same.
func dateOf(text string) time.Time {
	const years = 20 * 365 * 24 * 60 * 60 // in seconds: from 1980 on
	sum := sha256.Sum256([]byte(text))
	return time.Unix(years/2+int64(binary.BigEndian.Uint32(sum[:]))%years, 0)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
