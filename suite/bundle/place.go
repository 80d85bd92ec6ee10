package bundle

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/suite"
)

// A Place is a line of a file of the repository.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// String returns file:line.
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// repositoryOf returns the closest folder at or above dir that has a .git, or dir.
func repositoryOf(dir string) string {
	for at := dir; at != ""; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return dir
}

// below returns file relative to dir, with slashes; file itself if it is not in dir.
func below(dir, file string) string {
	short, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(short) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(short)
}

// said matches the place at the beginning of a check's message.
var said = regexp.MustCompile(`^([\w.-]+\.go):(\d+): `)

// placeOf returns the line to show a failure at: that of the check, of the failing step, or of the
// test.
func placeOf(t Test, o suite.Outcome, repository string) Place {
	if m := said.FindStringSubmatch(t.Finding.Message); m != nil {
		if p, ok := placed(o.Dir, m[1]+":"+m[2], repository); ok {
			return p
		}
	}
	if t.Timeline != nil {
		for _, race := range t.Timeline.Races {
			for _, frame := range race.Accesses[0].Stack {
				if p, ok := placed(o.Root, frame[strings.LastIndexByte(frame, ' ')+1:], repository); ok {
					return p
				}
			}
		}
		for _, mark := range []timeline.Mark{timeline.Failed, timeline.Conflict} {
			for _, s := range slices.Backward(t.Timeline.Steps) {
				if p, ok := placed(o.Root, s.Where, repository); ok && s.Mark.Has(mark) {
					return p
				}
			}
		}
	}
	return declared(o.Dir, t.Name, repository)
}

// placed returns the place of a file in dir, if the file exists.
func placed(dir, where, repository string) (Place, bool) {
	name, number, ok := strings.Cut(where, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return Place{}, false
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(file); err != nil {
		return Place{}, false
	}
	return Place{below(repository, file), line}, true
}

// placeLogs gives log steps the place that their text begins with, as other steps have one.
func placeLogs(tl *timeline.Timeline, dir string) {
	if tl == nil {
		return
	}
	for i := range tl.Steps {
		s := &tl.Steps[i]
		if m := said.FindStringSubmatch(s.Value); m != nil && s.Op == "log" && s.Where == "" {
			s.Where = path.Join(dir, m[1]) + ":" + m[2]
		}
	}
}

// declared returns where a test is declared.
func declared(dir, test, repository string) Place {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it existed when it was built
		}
		if before, _, ok := strings.Cut("\n"+string(text), "\nfunc "+test+"("); ok {
			return Place{below(repository, file), strings.Count(before, "\n") + 1}
		}
	}
	return Place{}
}

// A Source is a part of a file, as it was when the test ran.
type Source struct {
	File  string   `json:"file"`  // as in steps
	First int      `json:"first"` // number of the first line
	Lines []string `json:"lines"`
}

// The number of lines to keep around a step, and the most for one failure.
const (
	around   = 12
	mostCode = 3000
)

// sourcesOf returns the parts of the module's files around the steps of a failure.
func sourcesOf(tl *timeline.Timeline, root string) (all []Source) {
	if tl == nil {
		return nil
	}
	lines, files := make(map[string][]int), []string(nil)
	note := func(where string) {
		at := where[strings.LastIndexByte(where, ' ')+1:] // after the function, if there is one
		name, number, _ := strings.Cut(at, ":")
		n, err := strconv.Atoi(number)
		if err != nil || name != path.Clean(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
			return
		}
		if lines[name] == nil {
			files = append(files, name)
		}
		lines[name] = append(lines[name], n)
	}
	for _, s := range tl.Steps {
		note(s.Where)
		for _, frame := range s.Stack {
			note(frame)
		}
	}
	for _, race := range tl.Races {
		for _, frame := range slices.Concat(race.Accesses[0].Stack, race.Accesses[1].Stack) {
			note(frame)
		}
	}
	rest := mostCode
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			continue // a file of another module
		}
		for _, part := range parts(name, strings.Split(string(text), "\n"), lines[name]) {
			if rest -= len(part.Lines); rest < 0 {
				return all
			}
			all = append(all, part)
		}
	}
	return all
}

// parts returns the parts of a file around the lines in near.
func parts(name string, text []string, near []int) (all []Source) {
	slices.Sort(near)
	for _, n := range near {
		if n > len(text) {
			continue // the file has changed
		}
		first, last := max(n-around, 1), min(n+around, len(text))
		if i := len(all) - 1; i >= 0 && first <= all[i].First+len(all[i].Lines) {
			all[i].Lines = text[all[i].First-1 : last]
			continue
		}
		all = append(all, Source{name, first, text[first-1 : last]})
	}
	return all
}
