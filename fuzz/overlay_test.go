package fuzz_test

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/internal/overlay"
)

// FuzzOverlay changes a file of the Go installation, in up to four lines, and has the overlay edit it. Either that is refused, or
// the file has all of the overlay's changes, and is Go if it was.
func FuzzOverlay(f *testing.F) {
	tc := installed(f)
	files := editedFiles(f, tc)
	addInputs(f, 8)
	f.Fuzz(func(t *testing.T, input []byte) {
		tape := fuzz.NewTape(input)
		file := files[(int(tape.Byte())<<8+int(tape.Byte()))%len(files)]
		text := file.text
		for range 1 + tape.Below(4) {
			text = respell(tape, text, file.beside)
		}
		got, err := overlay.Edit(tc, file.name, text)
		if err != nil {
			if got != "" || !strings.Contains(err.Error(), file.name) {
				t.Fatalf("%s: got %q and %v, want only an error that names the file", file.name, got, err)
			}
			return
		}
		if got := own(got); !slices.Equal(got, file.own) {
			t.Fatalf("%s: got the changes %q, want %q, or an error, of\n%s", file.name, got, file.own, text)
		}
		if err := isGo(file.name, got); err != nil && isGo(file.name, text) == nil {
			t.Fatalf("%s: %v, of\n%s", file.name, err, text)
		}
	})
}

// installed returns the Go installation.
func installed(f *testing.F) overlay.Toolchain {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 2 {
		f.Fatalf("go env: got %q, %v", out, err)
	}
	return overlay.Toolchain{Root: lines[0], Version: lines[1], OS: runtime.GOOS, Arch: runtime.GOARCH}
}

// An editedFile is a file that the overlay changes.
type editedFile struct {
	name, text string
	own        []string // the overlay's names in it, sorted: each change has one
	beside     []string // its lines beside the changes
}

func editedFiles(f *testing.F, tc overlay.Toolchain) (all []editedFile) {
	index, err := overlay.Write(f.TempDir(), tc, nil)
	if err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(index)
	var files struct{ Replace map[string]string }
	if err == nil {
		err = json.Unmarshal(text, &files)
	}
	for _, path := range slices.Sorted(maps.Keys(files.Replace)) {
		text, readErr := os.ReadFile(path)
		if errors.Is(readErr, os.ErrNotExist) {
			continue // the overlay adds it
		}
		name, relErr := filepath.Rel(filepath.Join(tc.Root, "src"), path)
		name = filepath.ToSlash(name)
		edited, editErr := overlay.Edit(tc, name, string(text))
		err = errors.Join(err, readErr, relErr, editErr)
		all = append(all, editedFile{name, string(text), own(edited), beside(edited)})
	}
	if err != nil || len(all) == 0 {
		f.Fatalf("got %d files, %v", len(all), err)
	}
	return all
}

// beside returns the lines of an edited text that are beside the overlay's own.
func beside(edited string) (all []string) {
	lines := strings.SplitAfter(edited, "\n")
	for i := 1; i < len(lines); i++ {
		if (len(own(lines[i-1])) > 0) != (len(own(lines[i])) > 0) {
			all = append(all, lines[i-1], lines[i])
		}
	}
	return all
}

// respell changes a text in one line. One of two times that is one of the given lines, if the text has it.
func respell(tape *fuzz.Tape, text string, beside []string) string {
	lines := strings.SplitAfter(text, "\n")
	i := (int(tape.Byte())<<8 + int(tape.Byte())) % len(lines)
	if len(beside) > 0 && tape.Flag() {
		if at := slices.Index(lines, beside[i%len(beside)]); at >= 0 {
			i = at
		}
	}
	words := word.FindAllString(lines[i], -1)
	switch tape.Below(8) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, lines[i])
	case 2:
		j := (i + 1) % len(lines)
		lines[i], lines[j] = lines[j], lines[i]
	case 3:
		lines = slices.Insert(lines, i, fuzz.Pick(tape, "\n", "\t// a comment\n", "/* a comment */\n", "}\n", "\treturn\n"))
	case 4:
		lines[i] = fuzz.Pick(tape, "\t", " ") + lines[i]
	case 5:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + fuzz.Pick(tape, "\r\n", " // a comment\n", " ")
	case 6:
		if len(words) > 0 {
			lines[i] = strings.Replace(lines[i], words[tape.Below(len(words))], tape.Text("other", "nil", "_"), 1)
		}
	case 7: // the same name everywhere
		if len(words) > 0 {
			old := fuzz.Pick(tape, words...)
			return strings.ReplaceAll(text, old, old+"2")
		}
	}
	return strings.Join(lines, "")
}

var word, following = regexp.MustCompile(`\w+`), regexp.MustCompile(`^\w*`)

// own returns the names in a text that only the overlay has, in lower case, sorted.
func own(text string) (names []string) {
	text = strings.ToLower(text)
	for _, part := range []string{"jq", "jacquard"} {
		for rest := text; ; {
			_, behind, found := strings.Cut(rest, part)
			if !found {
				break
			}
			names, rest = append(names, part+following.FindString(behind)), behind
		}
	}
	slices.Sort(names)
	return names
}

// isGo returns the error of a file of Go source. Others have none.
func isGo(name, text string) error {
	if filepath.Ext(name) != ".go" {
		return nil
	}
	_, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	return err
}
