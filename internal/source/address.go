package source

import (
	"reflect"
)

// TextBase makes code addresses comparable between processes of one program.
var TextBase = reflect.ValueOf(Resolve).Pointer()

// Relative converts a code address to one that is valid in every process of the
// program; 0 stays 0.
func Relative(pc uintptr) int64 {
	if pc == 0 {
		return 0
	}
	return int64(pc) - int64(TextBase) + textShift
}

func Absolute(pc int64) uintptr {
	if pc == 0 {
		return 0
	}
	return uintptr(pc - textShift + int64(TextBase))
}

// textShift prevents a relative address of 0.
const textShift = 1 << 62
