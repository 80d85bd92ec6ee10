package overlay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// standardFile tells the controlled program which packages belong to the standard
// library. An import path does not tell this: a module may be called math/bank.
const standardFile = "runtime/jacquard_standard.go"

const standardText = `// This file is part of Jacquard's build overlay.

package runtime

import _ "unsafe" // for go:linkname

// jqStandard is the import paths of the standard library's packages, a line each.
//
//go:linkname jqStandard
func jqStandard() string { return jqPackages }

const jqPackages = %q
`

// addStandard adds the list of all packages below src.
func addStandard(files map[string]string, src string) error {
	var all strings.Builder
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name, err := filepath.Rel(src, path)
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		case name == "cmd" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		all.WriteString(filepath.ToSlash(name) + "\n")
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	files[standardFile] = fmt.Sprintf(standardText, all.String())
	return nil
}
