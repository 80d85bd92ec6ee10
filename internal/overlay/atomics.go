package overlay

import (
	"fmt"
	"regexp"
	"strings"
)

// The operations of sync/atomic in a build without the race detector are jumps
// to the runtime's own. The overlay moves them to package runtime, where
// assembly may call Go code, as the race detector's assembly does, and inserts a
// point before each jump. The compiler must not replace calls of them by
// instructions.
const (
	atomicsFile  = "sync/atomic/asm.s"
	atomicsTo    = "runtime/jacquard_atomic.s"
	declaredFile = "runtime/race.go"
	declaredTo   = "runtime/jacquard_atomic.go"
)

// Package sync calls two operations of the runtime by names that the linker rejects
// unless the compiler has replaced the calls by instructions.
const (
	poolFile = "internal/runtime/atomic/jacquard.go"
	poolText = `// This file is part of Jacquard's build overlay.

package atomic

import _ "unsafe" // for go:linkname

//go:linkname LoadAcquintptr
//go:linkname StoreReluintptr
`
)

// The number of operations, and how many of them race.go declares: three are declared
// in a file that belongs to every build.
const (
	atomicJumps    = 36
	atomicDeclared = atomicJumps - 3
)

var (
	atomicJump = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\),NOSPLIT,\$0\S*\n\tJMP\t(internal∕runtime∕atomic·\w+\(SB\))\n`)
	atomicDecl = regexp.MustCompile(`(?m)^//go:linkname abigen_sync_atomic_\w+ sync/atomic\.\w+\nfunc abigen_sync_atomic_.*\n`)
)

const atomicsHead = "// This file is part of Jacquard's build overlay.\n\n//go:build !race\n\n"

// addAtomics edits and adds the files that concern sync/atomic.
func addAtomics(files map[string]string, a arch) error {
	src := files[atomicsFile]
	jumps := atomicJump.FindAllStringSubmatch(src, -1)
	if n := strings.Count(src, "TEXT"); len(jumps) != atomicJumps || n != atomicJumps {
		return fmt.Errorf("%s: %d operations, %d of them jumps, want %d", atomicsFile, n, len(jumps), atomicJumps)
	}
	decls := atomicDecl.FindAllString(files[declaredFile], -1)
	if len(decls) != atomicDeclared {
		return fmt.Errorf("%s: %d operations of sync/atomic, want %d", declaredFile, len(decls), atomicDeclared)
	}
	var asm strings.Builder
	asm.WriteString(atomicsHead + "#include \"funcdata.h\"\n#include \"textflag.h\"\n")
	for _, j := range jumps {
		fmt.Fprintf(&asm, "\nTEXT\tsync∕atomic·%s(SB), NOSPLIT|NOFRAME, $0\n\tGO_ARGS\n%s\tJMP\t%s\n", j[1], a.point, j[2])
	}
	files[atomicsFile] = atomicsHead + "// The operations are in " + atomicsTo + ".\n"
	files[atomicsTo] = asm.String()
	files[declaredTo] = atomicsHead + "package runtime\n\nimport \"unsafe\"\n\n" + strings.Join(decls, "\n")
	files[poolFile] = poolText
	return nil
}
