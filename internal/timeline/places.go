package timeline

import (
	"maps"
	"slices"
	"strings"
)

// shortPlaces returns a copy of tl in which places in the table have no directory, unless two of
// them would look the same. Below the table paths are complete.
func shortPlaces(tl *Timeline) (short *Timeline, s *shortener) {
	s = &shortener{dirs: map[string]map[string]bool{}}
	for i := range tl.Steps {
		s.add(tl.Steps[i].Where)
	}
	for _, t := range tl.Threads {
		s.add(t.Where)
	}
	clone := *tl
	clone.Steps = make([]Step, len(tl.Steps))
	for i, step := range tl.Steps {
		step.Where = s.short(step.Where)
		clone.Steps[i] = step
	}
	clone.Threads = make([]Thread, len(tl.Threads))
	for i, t := range tl.Threads {
		t.Where = s.short(t.Where)
		clone.Threads[i] = t
	}
	return &clone, s
}

// A shortener knows the directories of each file name.
type shortener struct {
	dirs map[string]map[string]bool
}

// splitPlace splits dir/file:line. A name without a directory has "".
func splitPlace(where string) (dir, file, line string) {
	file = where
	if i := strings.LastIndexByte(file, ':'); i >= 0 {
		file, line = file[:i], file[i:]
	}
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		dir, file = file[:i], file[i+1:]
	}
	return dir, file, line
}

func (s *shortener) add(where string) {
	if where == "" {
		return
	}
	dir, file, _ := splitPlace(where)
	if s.dirs[file] == nil {
		s.dirs[file] = map[string]bool{}
	}
	s.dirs[file][dir] = true
}

func (s *shortener) short(where string) string {
	_, file, line := splitPlace(where)
	if len(s.dirs[file]) > 1 {
		return where
	}
	return file + line
}

// common returns the directory of all files, "" if there are several.
func (s *shortener) common() string {
	if all := s.all(); len(all) == 1 {
		return all[0]
	}
	return ""
}

// all returns the directories, sorted.
func (s *shortener) all() []string {
	seen := map[string]bool{}
	for _, dirs := range s.dirs {
		for dir := range dirs {
			seen[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// files lists the files of each directory.
func (s *shortener) files() string {
	var parts []string
	for _, dir := range s.all() {
		var names []string
		for file, dirs := range s.dirs {
			if dirs[dir] {
				names = append(names, file)
			}
		}
		slices.Sort(names)
		if dir != "" {
			parts = append(parts, "in "+dir+": "+some("", names, mostFiles))
		}
	}
	return some("", parts, mostFiles)
}

// mostFiles bounds the files listed of each directory, and the directories.
const mostFiles = 6
