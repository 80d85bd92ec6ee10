package house_test

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unmade finds references to make targets that the Makefile does not have.
func unmade(makefile string, all []file) []string {
	targets := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(makefile, -1) {
		targets[m[1]] = true
	}
	mention := regexp.MustCompile("(?m)(?:`|^|run: |stage )make ([a-z-]+)")
	var wrong []string
	for _, f := range all {
		if !slices.Contains([]string{".md", ".yml", ""}, path.Ext(f.name)) || f.name == "Makefile" {
			continue
		}
		for _, m := range mention.FindAllStringSubmatch(f.text, -1) {
			if !targets[m[1]] {
				wrong = append(wrong, fmt.Sprintf("%s: make %s: want a target of the Makefile", f.name, m[1]))
			}
		}
	}
	return wrong
}

func TestMakeTargets(t *testing.T) { check(t, unmade(text(t, "Makefile"), must(t, files))) }

func TestMakeTargetsCanFail(t *testing.T) {
	all := []file{{"README.md", "`make races` and `make bench`"}, {".github/workflows/ci.yml", "      - run: make races\n"}, {"cache/a.go", "// `make nothing`\n"}}
	catches(t, unmade("races:\n\tgo run\n", all), "make bench")
}

// dangling finds links in Markdown to files that do not exist.
func dangling(all []file) []string {
	var wrong []string
	for _, f := range all {
		if path.Ext(f.name) != ".md" {
			continue
		}
		for _, m := range regexp.MustCompile(`\]\(([^)\s#]+)[^)]*\)`).FindAllStringSubmatch(f.text, -1) {
			if target := path.Join(path.Dir(f.name), m[1]); !strings.Contains(m[1], "://") && !slices.ContainsFunc(all, func(g file) bool { return g.name == target }) {
				wrong = append(wrong, fmt.Sprintf("%s: link to %s: want a file of the tree", f.name, m[1]))
			}
		}
	}
	return wrong
}

func TestLinks(t *testing.T) { check(t, dangling(must(t, files))) }

func TestLinksCanFail(t *testing.T) {
	all := []file{{"docs/README.md", "[a](a.md) [b](../b.md#part) [c](https://example.com/c)"}, {"docs/a.md", ""}}
	catches(t, dangling(all), "../b.md")
}

// untold finds files of the standard library that the overlay edits and the
// design document does not name.
func untold(edits, design string) []string {
	var wrong []string
	for _, m := range regexp.MustCompile(`"((?:[a-z]+/)+\w+\.(?:go|s))"`).FindAllStringSubmatch(edits, -1) {
		if !strings.Contains(design, "`"+m[1]+"`") {
			wrong = append(wrong, "DESIGN.md: want it to tell what the overlay changes in "+m[1])
		}
	}
	return wrong
}

func TestDesignNamesEveryEdit(t *testing.T) {
	var edits string
	for _, file := range []string{"edits.go", "assembly.go", "atomics.go", "testing.go"} {
		edits += text(t, "internal/overlay/"+file)
	}
	check(t, untold(edits, text(t, "DESIGN.md")))
}

func TestDesignNamesEveryEditCanFail(t *testing.T) {
	catches(t, untold(`const ch, context = "runtime/chan.go", "context/context.go"`, "`runtime/chan.go` has points"), "context/context.go")
}
