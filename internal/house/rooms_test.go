package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// The maximum sizes of a folder of this tree.
const (
	maxRoomFiles  = 45   // without tests
	maxRoomLines  = 4500 // in these files
	maxFacade     = 2000 // lines of package explore, the interface for users
	maxRoomFields = 16   // of a struct in rooms
)

// A size is the number of files in a folder, and of their lines.
type size struct{ files, lines int }

// larger lists the folders with other maximum sizes.
var larger = map[string]size{
	"explore":     {maxRoomFiles, maxFacade},
	"stress/soak": {maxRoomFiles, 5000}, // actors and judges are not yet separate packages
}

// rooms lists the folders of packages explore and lifecycle, and of the packages beneath them.
var rooms = []string{
	"explore", "internal/card", "internal/engine", "internal/linear", "internal/report", "internal/schedule",
	"internal/search", "internal/source", "internal/strategy", "internal/system", "internal/values", "internal/verdict", "internal/workers",
	"lifecycle", "lifecycle/internal/databases", "lifecycle/internal/domain", "lifecycle/internal/engine", "lifecycle/internal/events", "lifecycle/internal/faults",
	"lifecycle/internal/history", "lifecycle/internal/postgres", "lifecycle/internal/sqlite",
}

// wide lists the structs that may have more fields, each with a reason.
var wide = map[string]string{
	"explore.Config":          "the options that users set",
	"internal/search.Config":  "the same; nobody passes it on",
	"internal/verdict.Result": "all that users are told",

	"lifecycle/internal/domain.Plan": "all that there is of a plan",
}

// crowded finds folders, and structs in rooms, that are too large.
func crowded(all []file) []string {
	var wrong []string
	sizes := make(map[string]size)
	for _, f := range all {
		if !strings.HasSuffix(f.name, ".go") || strings.HasSuffix(f.name, "_test.go") || strings.Contains(f.name, "testdata/") {
			continue
		}
		folder := path.Dir(f.name)
		sizes[folder] = size{sizes[folder].files + 1, sizes[folder].lines + strings.Count(f.text, "\n")}
		if slices.Contains(rooms, folder) {
			wrong = append(wrong, wideStructs(folder, f)...)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(sizes)) {
		got, most := sizes[folder], size{maxRoomFiles, maxRoomLines}
		if other, ok := larger[folder]; ok {
			most = other
		}
		if got.files > most.files {
			wrong = append(wrong, fmt.Sprintf("%s: got %d files, want at most %d", folder, got.files, most.files))
		}
		if got.lines > most.lines {
			wrong = append(wrong, fmt.Sprintf("%s: got %d lines, want at most %d", folder, got.lines, most.lines))
		}
	}
	return wrong
}

// wideStructs finds the structs of a file that have too many fields.
func wideStructs(room string, f file) []string {
	syntax, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	ast.Inspect(syntax, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			if got := s.Fields.NumFields(); got > maxRoomFields && wide[room+"."+spec.Name.Name] == "" {
				wrong = append(wrong, fmt.Sprintf("%s: %s: got %d fields, want at most %d", f.name, spec.Name.Name, got, maxRoomFields))
			}
		}
		return true
	})
	return wrong
}

func TestRooms(t *testing.T) { check(t, crowded(must(t, files))) }

func TestRoomsCanFail(t *testing.T) {
	long := "package engine\n" + strings.Repeat("\n", maxRoomLines)
	for _, folder := range []string{"internal/engine", "suite", "cache", "lifecycle", "bench/goker", "a/new/folder"} {
		catches(t, crowded([]file{{folder + "/a.go", long}}), folder+": got 4501 lines, want at most 4500")
	}
	catches(t, crowded([]file{{"explore/a.go", "package explore\n" + strings.Repeat("\n", maxFacade)}}), "2001 lines, want at most 2000")
	var many []file
	for i := range maxRoomFiles + 1 {
		many = append(many, file{fmt.Sprintf("lifecycle/a%d.go", i), "package lifecycle\n"})
	}
	catches(t, crowded(many), "lifecycle: got 46 files, want at most 45")
	fields := "package engine\n\ntype loom struct {\n" + strings.Repeat("\ta, b int\n", maxRoomFields/2) + "\tint\n}\n"
	catches(t, crowded([]file{{"internal/engine/a.go", fields}}), "loom: got 17 fields")
	check(t, crowded([]file{{"internal/engine/a.go", strings.Replace(fields, "\tint\n", "", 1)}, {"internal/engine/a_test.go", long}, {"cache/testdata/a.go", long}}))
	check(t, crowded(many[1:]))
}
