package program

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// folder is the folder of the kernels in a Go installation, from Go 1.26 on.
const folder = "src/runtime/testdata/testgoroutineleakprofile/goker"

// ErrNoKernels says that the Go installation has no kernels.
var ErrNoKernels = errors.New("this Go installation has no GoKer kernels; they come with Go 1.26 and later")

// A Kernel is one program of the benchmark.
type Kernel struct {
	Name string // as it registers itself, such as "Etcd6708"
	File string // its base name
	Text string // the source
	Loop *Loop  // nil if it runs its body once
}

// A Loop is the loop by which a kernel runs its body many times at once.
type Loop struct {
	Rounds   int
	Line     int
	from, to int // the place of its bound in the text
	atMost   bool
}

// Find reads the kernels of the Go installation that the go command in dir
// uses, in the order of their names. The error wraps [ErrNoKernels] if it has
// none.
func Find(ctx context.Context, dir string) ([]Kernel, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return find(filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(folder)))
}

func find(dir string) ([]Kernel, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is not there", ErrNoKernels, dir)
	}
	if err != nil {
		return nil, err
	}
	var all []Kernel
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || e.Name() == "main.go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		k, err := parse(e.Name(), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		all = append(all, k)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %s is empty", ErrNoKernels, dir)
	}
	return all, nil
}

// parse finds the kernel's name and its loop.
func parse(file, text string) (Kernel, error) {
	k := Kernel{File: file, Text: text}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return k, err
	}
	if k.Name = registered(f); k.Name == "" {
		return k, fmt.Errorf("got no call of register with a name and a function, want one")
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == k.Name {
			k.Loop = loopOf(set, fn.Body)
		}
	}
	return k, nil
}

// registered returns the name in the call register("Name", Name).
func registered(f *ast.File) (name string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if called, ok := call.Fun.(*ast.Ident); !ok || called.Name != "register" {
			return true
		}
		if function, ok := call.Args[1].(*ast.Ident); ok {
			name = function.Name
		}
		return false
	})
	return name
}

// loopOf returns the outermost loop of a kernel, which counts to a number.
func loopOf(set *token.FileSet, body *ast.BlockStmt) *Loop {
	for _, s := range body.List {
		loop, ok := s.(*ast.ForStmt)
		if !ok {
			continue
		}
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.LSS && cond.Op != token.LEQ {
			continue
		}
		limit, ok := cond.Y.(*ast.BasicLit)
		if !ok || limit.Kind != token.INT {
			continue
		}
		n, err := strconv.Atoi(limit.Value)
		if err != nil {
			continue
		}
		at := set.Position(limit.Pos())
		l := &Loop{Rounds: n, Line: at.Line, from: at.Offset, to: at.Offset + len(limit.Value)}
		if l.atMost = cond.Op == token.LEQ; l.atMost {
			l.Rounds++
		}
		return l
	}
	return nil
}

// Times returns the kernel with another number of rounds. A kernel without a loop
// stays unchanged.
func (k Kernel) Times(rounds int) Kernel {
	l := k.Loop
	if l == nil {
		return k
	}
	bound := rounds
	if l.atMost {
		bound--
	}
	k.Text = k.Text[:l.from] + strconv.Itoa(bound) + k.Text[l.to:]
	k.Loop = nil // its place in the text has changed
	return k
}
