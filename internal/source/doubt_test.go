package source

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A plain access gets a variable's name only if it can mean no other variable on its line.
// It cannot mean variables local to one goroutine, called functions, or constants of package
// time.
func TestNamesThatCannotBeMeant(t *testing.T) {
	const text = `package p

import "time"

type s struct{ n, m int }

func use(...any) bool { return true }

func f(p *s, base []int, limit int) {
	var ready bool
	out := make([][]int, 2)
	n, count := 0, 0
	go func() { ready, count, n, base = true, 1, 2, nil }()
	for i := 0; i < 100 && !ready; i++ {
	}
	out[0] = append(base, 1)
	base = append(base, 1)
	if p.n > limit {
	}
	if use(p.m) == (p.n == 1) {
	}
	if count > n {
	}
	if time.Duration(p.n) > time.Second {
	}
	use(n == 0)
	count += n
	count += limit
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	lib := newLibrary()
	lib.sources["p.go"] = &source{set: set, file: file}
	got := func(op control.Op, name string, line int) string {
		u := &Use{Op: op, Site: Site{Op: name, User: Frame{File: "p.go", line: line}}, Action: name, PC: 1}
		return fmt.Sprintf("%s %d %s", name, line, Spelled(NewExpressions(lib, []*Use{u}).Expr(u)))
	}
	var all []string
	for _, line := range []int{14, 18, 20, 22, 24, 26, 27, 28} {
		all = append(all, got(control.OpRead, "read", line))
	}
	for _, line := range []int{14, 16, 17} {
		all = append(all, got(control.OpWrite, "write", line))
	}
	want := []string{"read 14 ", "read 18 ", "read 20 ", "read 22 ", "read 24 ", "read 26 n", "read 27 ", "read 28 count", "write 14 ", "write 16 ", "write 17 base"}
	if !slices.Equal(all, want) {
		t.Errorf("got %q, want %q", all, want)
	}
}
