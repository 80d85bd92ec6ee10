package source

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func Where(f Frame) string {
	if f.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", ShortPath(f.File), f.line)
}

// Listed joins words as in "a, b and c".
func Listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// mainModule returns the path of the program's main module.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// ShortPath returns a file's path below the main module, or its last two elements.
func ShortPath(file string) string {
	if rest, ok := strings.CutPrefix(file, mainModule()+"/"); ok {
		return rest
	}
	return path.Join(path.Base(path.Dir(file)), path.Base(file))
}

// ShortFunction removes the import path's directories and the type arguments.
func ShortFunction(name string) string {
	plain, rest, generic := strings.Cut(name, "[")
	plain = plain[strings.LastIndexByte(plain, '/')+1:]
	if !generic {
		return plain
	}
	return plain + "[…]" + rest[strings.LastIndexByte(rest, ']')+1:]
}

// Digits returns n in decimal. The harness's code on tasks asks for names, too, and
// must not use fmt: fmt would use memory of the tasks' stacks, which does not belong to
// the harness for the race detector.
func Digits(n int) string {
	const all = "0123456789"
	text := ""
	for ; n > 0; n /= 10 {
		text = all[n%10:n%10+1] + text
	}
	return text
}

// FunctionName returns the name of the function that begins at pc.
func FunctionName(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "goroutine"
	}
	name := f.Name()
	if pkg := PackageOf(name); harness(pkg) { // users, and their cards, know it as part of explore
		name = ownRoot + "explore" + strings.TrimPrefix(name, pkg)
	}
	return name
}

// closures matches the part of a function's name that numbers nested functions, which
// changes when another function is added before it. wrappers matches functions that the
// compiler generates for statements.
var (
	closures = regexp.MustCompile(`\.func\d+.*$`)
	wrappers = regexp.MustCompile(`(\.(gowrap|deferwrap)|-range)\d+`)
)

// PlainFunction returns a function's name as cards have it: without the directories of
// its package, type arguments, and numbers of nested functions.
func PlainFunction(name string) string {
	if name == "" {
		return ""
	}
	name = wrappers.ReplaceAllString(ShortFunction(strings.TrimSuffix(name, "-fm")), "")
	return closures.ReplaceAllString(name, ".func")
}

// FunctionAt returns the program's function that contains a return address.
func FunctionAt(pc uintptr) string { return PlainFunction(functionAt(pc)) }

func functionAt(pc uintptr) string {
	for _, f := range Resolve([]uintptr{pc}) {
		if !Machinery(PackageOf(f.Function)) {
			return f.Function
		}
	}
	return ""
}

func Prefixed(sign, value string) string {
	if value == "" {
		return ""
	}
	return sign + value
}

// InModule reports whether a package belongs to the main module, including its tests.
func InModule(pkg string) bool { return (*Library)(nil).owns(pkg) && !Standard(pkg) }

// ProgramFrame returns the innermost frame of the program at a return address.
func ProgramFrame(pc uintptr) Frame {
	all := Whole(pc)
	if i := len(Below(all)); i < len(all) {
		return all[i]
	}
	return Frame{}
}

// Line returns the frame's line number.
func (f Frame) Line() int { return f.line }

// ObjectWord returns the word for the objects of an operation.
func ObjectWord(op string) string {
	for _, w := range []struct{ part, word string }{
		{"Lock", "lock"}, {"send", "channel"}, {"receive", "channel"}, {"close", "channel"}, {"select", "channel"},
		{"map", "map"}, {"WaitGroup", "wait group"}, {"Cond", "condition"}, {"Once", "once"}, {"atomic", "atomic"},
	} {
		if strings.Contains(op, w.part) || strings.Contains(op, strings.ToLower(w.part)) {
			return w.word
		}
	}
	return "object"
}
