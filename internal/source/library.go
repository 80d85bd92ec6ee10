package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/jacquard-go/jacquard/internal/executable"
)

// A Library reads the program's source, if available, to find the names of objects
// there. It returns no name when in doubt.
type Library struct {
	root    string // directory of the main module
	modules string // directory of other modules
	sources map[string]*source
}

// A source is a parsed file; nil if it is unavailable.
type source struct {
	set  *token.FileSet
	file *ast.File
}

func newLibrary() *Library {
	return &Library{root: moduleRoot(), modules: moduleCache(), sources: make(map[string]*source)}
}

// moduleRoot returns the directory of the main module, if the working directory lies in
// it.
func moduleRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if strings.Contains("\n"+string(text), "\nmodule "+mainModule()+"\n") {
				return dir
			}
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return ""
	}
}

// owns reports whether a package belongs to the main module.
func (l *Library) owns(pkg string) bool {
	pkg = strings.TrimSuffix(pkg, "_test")
	return pkg == "main" || pkg == mainModule() || strings.HasPrefix(pkg, mainModule()+"/")
}

func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	gopath := filepath.SplitList(os.Getenv("GOPATH"))
	if len(gopath) > 0 && gopath[0] != "" {
		return filepath.Join(gopath[0], "pkg", "mod")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

// open parses a file that a frame names.
func (l *Library) open(name string) *source {
	if s, ok := l.sources[name]; ok {
		return s
	}
	l.sources[name] = nil
	if path := l.path(name); path != "" {
		set := token.NewFileSet()
		if file, err := parser.ParseFile(set, path, nil, 0); err == nil {
			l.sources[name] = &source{set: set, file: file}
		}
	}
	return l.sources[name]
}

// path returns the location of a source file, whether compiled with -trimpath or not.
func (l *Library) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if path := folders.path(name); path != "" {
		return path
	}
	if rest, ok := strings.CutPrefix(name, mainModule()+"/"); ok && l.root != "" {
		return filepath.Join(l.root, filepath.FromSlash(rest))
	}
	if module, rest, ok := strings.Cut(name, "@v"); ok && l.modules != "" {
		return filepath.Join(l.modules, filepath.FromSlash(escaped(module)+"@v"+rest))
	}
	return ""
}

// A folder is the directory of a module's files: see [executable.FoldersVar].
type folder struct{ name, dir string }

// layout is a list of folders, the longest paths first.
type layout []folder

// folders is the layout that this process was given.
var folders = newLayout(os.Getenv(executable.FoldersVar))

func newLayout(text string) (l layout) {
	for line := range strings.Lines(text) {
		if name, dir, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && dir != "" {
			l = append(l, folder{name, dir + "/"})
		}
	}
	slices.SortFunc(l, func(a, b folder) int { return len(b.dir) - len(a.dir) })
	return l
}

// of returns the directory of a folder, with a slash at its end; "" if it is not known.
func (l layout) of(name string) string {
	for _, f := range l {
		if f.name == name {
			return f.dir
		}
	}
	return ""
}

// path returns the location of a module's file, given the name by which it was compiled; "" if
// there is no folder for that module alone.
func (l layout) path(name string) (path string) {
	longest := 0
	for _, f := range l {
		if rest, ok := strings.CutPrefix(name, f.name+"/"); ok && len(f.name) > longest {
			longest, path = len(f.name), f.dir+rest
		}
	}
	return path
}

// name returns the name by which a file was compiled, given the path that the program
// sees. The name is the same in every folder.
func (l layout) name(path string) string {
	for _, f := range l {
		rest, ok := strings.CutPrefix(path, f.dir)
		switch {
		case !ok:
			continue
		case f.name == "":
			return rest
		case f.name == "@":
			module, inside, _ := strings.Cut(rest, "@")
			version, inside, _ := strings.Cut(inside, "/")
			return unescaped(module+"@"+version) + "/" + inside
		}
		return f.name + "/" + rest
	}
	return path
}

// unescaped reverses escaped.
func unescaped(dir string) string {
	var b strings.Builder
	for i, part := range strings.Split(dir, "!") {
		if i > 0 && part != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// escaped returns a module's path as a directory of the module cache: an exclamation
// mark and a lower-case letter replace each upper-case letter.
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
