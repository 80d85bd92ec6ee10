package house_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A layer is a folder, and the folders whose packages its own packages may import
// besides each other. A package belongs to the layer with the longest matching path.
type layer struct {
	path string
	may  []string
}

// layers lists every permitted import between folders of the module. A new folder must
// be added.
var layers = []layer{
	{"cache", nil},
	{"cache/explored", []string{"cache", "explore"}},
	{"lifecycle", []string{"cache", "lifecycle/internal/history", "lifecycle/internal/databases", "lifecycle/internal/faults", "lifecycle/internal/statements", "lifecycle/internal/engine", "lifecycle/internal/sqlite", "lifecycle/internal/postgres", "lifecycle/internal/domain", "lifecycle/internal/events", "lifecycle/internal/schema"}},
	{"lifecycle/internal/domain", []string{"lifecycle/internal/faults"}},
	{"lifecycle/internal/events", []string{"lifecycle/internal/domain", "lifecycle/internal/engine", "lifecycle/internal/statements"}},
	{"lifecycle/internal/engine", []string{"cache", "lifecycle/internal/databases", "lifecycle/internal/faults", "lifecycle/internal/statements"}},
	{"lifecycle/internal/sqlite", []string{"lifecycle/internal/engine", "lifecycle/internal/databases", "lifecycle/internal/faults", "lifecycle/internal/statements"}},
	{"lifecycle/internal/postgres", []string{"cache", "lifecycle/internal/engine", "lifecycle/internal/databases", "lifecycle/internal/faults", "lifecycle/internal/statements"}},
	{"lifecycle/internal/schema", []string{"lifecycle/internal/sqlite", "lifecycle/internal/postgres", "lifecycle/internal/engine", "lifecycle/internal/databases"}},
	{"lifecycle/internal/statements", nil},
	{"lifecycle/internal/history", nil},
	{"lifecycle/internal/databases", []string{"lifecycle/internal/faults"}},
	{"lifecycle/internal/faults", nil},
	{"lifecycle/model", []string{"lifecycle"}},
	{"lifecycle/locks", []string{"lifecycle", "lifecycle/internal/statements", "cache"}},
	{"lifecycle/jobs", []string{"lifecycle", "lifecycle/internal/statements", "cache"}},
	{"lifecycle/internal/storetest", []string{"lifecycle/internal/schema", "lifecycle/internal/engine", "lifecycle/internal/statements", "internal/postgres"}}, // for tests
	{"lifecycle/internal/worktest", []string{"lifecycle", "lifecycle/internal/storetest"}},                                                                     // for tests
	{"lifecycle/explored", []string{"lifecycle", "lifecycle/model", "lifecycle/jobs", "lifecycle/locks", "lifecycle/subplans", "explore"}},
	{"lifecycle/reported", []string{"lifecycle", "lifecycle/locks"}},
	{"lifecycle/subplans", []string{"lifecycle"}},
	{"races", []string{"lifecycle", "lifecycle/jobs", "lifecycle/locks", "lifecycle/subplans", "lifecycle/reported"}},
	{"races/explored", []string{"races", "explore"}},

	{module, nil}, // the module's root, which only embeds source
	{"internal/child", nil},
	{"internal/control", nil},
	{"internal/executable", nil},
	{"internal/footprint", nil},
	{"internal/overlay", nil},
	{"internal/timeline", nil},
	{"internal/toolchain", []string{"internal/overlay"}},
	// The rooms beneath explore.
	{"internal/schedule", nil},
	{"internal/strategy", []string{"internal/schedule"}},
	{"internal/system", nil},
	{"internal/source", []string{"internal/schedule", "internal/control", "internal/executable"}},
	{"internal/locks", nil},
	{"internal/racelog", []string{"internal/source", "internal/control", "internal/executable"}},
	{"internal/engine", []string{"internal/locks", "internal/racelog", "internal/schedule", "internal/source", "internal/control", "internal/executable", "internal/system"}},
	{"internal/verdict", []string{"internal/schedule", "internal/engine", "internal/source", "internal/timeline"}},
	{"internal/linear", []string{"internal/engine", "internal/schedule", "internal/source", "internal/control"}},
	{"internal/card", []string{"internal/schedule", "internal/engine", "internal/source", "internal/verdict", "internal/executable"}},
	{"internal/values", []string{"internal/source", "internal/control"}},
	{"internal/report", []string{"internal/values", "internal/schedule", "internal/source", "internal/engine", "internal/verdict", "internal/child", "internal/control", "internal/timeline"}},
	{"internal/coverage", nil},
	{"internal/coverage/page", []string{"internal/coverage", "internal/page"}},
	{"internal/coverage/collect", []string{"internal/coverage", "internal/engine", "internal/source", "internal/schedule", "internal/control"}},
	{"internal/workers", []string{"internal/racelog", "internal/coverage/collect", "internal/system", "internal/schedule", "internal/strategy", "internal/source", "internal/engine", "internal/verdict", "internal/child", "internal/control", "internal/executable"}},
	{"internal/search", []string{"internal/racelog", "internal/coverage", "internal/coverage/collect", "internal/schedule", "internal/strategy", "internal/source", "internal/engine", "internal/verdict", "internal/card", "internal/report", "internal/workers", "internal/control"}},
	{"explore", []string{"internal/schedule", "internal/strategy", "internal/source", "internal/engine", "internal/verdict", "internal/linear", "internal/card", "internal/report", "internal/workers", "internal/search", "internal/child", "internal/control", "internal/executable", "internal/footprint", "internal/overlay", "internal/timeline", "internal/toolchain"}},

	{"features", nil},
	{"steps", []string{"internal/child", "internal/timeline", "cache", "lifecycle", "lifecycle/locks", "lifecycle/subplans", "races", "races/explored", "explore", "internal/executable", "internal/toolchain"}},
	{"stress", []string{"internal/child", "cache", "lifecycle", "lifecycle/subplans", "races", "races/explored", "explore", "internal/executable", "internal/toolchain"}},
	{"stress/soak/jumping", nil},
	{"stress/soak/lines", nil},
	{"stress/soak/passing", []string{"lifecycle", "stress/soak/lines"}},
	{"stress/soak", []string{"internal/child", "lifecycle", "lifecycle/model", "lifecycle/jobs", "lifecycle/locks", "lifecycle/subplans", "stress/soak/jumping", "stress/soak/lines", "stress/soak/passing"}},
	{"fuzz", []string{"cache", "cache/explored", "lifecycle", "lifecycle/locks", "lifecycle/model", "lifecycle/explored", "races", "races/explored", "explore", "internal/overlay"}},
	{"suite/protocol", []string{"internal/child", "internal/coverage"}},
	{"suite/guest", []string{"suite/protocol", "internal/coverage", "internal/card", "internal/engine", "internal/schedule", "internal/search", "internal/strategy", "internal/verdict", "internal/child", "internal/control", "internal/timeline"}},
	{"suite/build", []string{module, "internal/overlay", "internal/toolchain"}},
	{"suite/ledger", []string{"internal/toolchain"}},
	{"suite/output", []string{"suite/protocol", "internal/toolchain"}},
	{"suite/scratch", nil},
	{"suite", []string{"suite/build", "suite/ledger", "suite/output", "suite/protocol", "suite/scratch", "internal/child", "internal/coverage", "internal/coverage/page", "internal/executable", "internal/finding", "internal/timeline", "internal/toolchain"}},
	{"suite/bundle", []string{"suite", "suite/output", "internal/finding", "internal/junit", "internal/page", "internal/timeline"}},
	// The installed command must not depend on database drivers, so it imports no lifecycle.
	{"cmd/jacquard", []string{"suite", "suite/build", "suite/bundle", "suite/protocol", "explore", "internal/child", "internal/cilog", "internal/command", "internal/executable", "internal/finding", "internal/overlay", "internal/timeline", "internal/toolchain", "internal/touched"}},
	{"cmd/races", []string{"stress", "stress/soak", "races", "races/explored", "explore", "lifecycle", "internal/child", "internal/command", "internal/executable", "internal/finding", "internal/junit", "internal/page", "internal/postgres", "internal/timeline", "internal/toolchain"}},
	{"cmd/fuzz", []string{"races", "internal/executable", "internal/toolchain"}},

	{"internal/cilog", nil},
	{"internal/command", nil},
	{"internal/finding", []string{"internal/coverage", "internal/timeline"}},
	{"internal/junit", nil},
	{"internal/touched", nil},
	{"internal/cputime", nil},
	{"internal/house", nil},
	{"internal/litmus", nil},
	{"internal/page", nil},
	{"internal/postgres", nil},
	{"internal/programs", []string{"explore"}}, // the programs on which the explorer is tested

	// A module of its own, with dependencies that no other package may have.
	{"bench", nil},
	{"bench/figures", nil},
	{"bench/measure", []string{"internal/command"}},
	{"bench/peers", []string{"bench", "cache"}},
	{"bench/flakes", []string{"bench/measure", "internal/command", "internal/finding"}},
	{"bench/goker", slices.Concat(measuring, []string{"bench/figures", "explore", "internal/timeline"})},
	{"bench/strategies", slices.Concat(measuring, []string{"bench", "bench/figures", "bench/sctbench", "races", "races/explored", "explore", "internal/programs", "internal/strategy"})},
	{"bench/sctbench", []string{"explore"}},
	{"bench/speed", slices.Concat(measuring, []string{"bench", "bench/peers", "cache", "internal/cputime", "internal/postgres"})},
	{"bench/guarantees", []string{"bench", "bench/peers", "bench/measure", "cache", "internal/command"}},
	{"bench/explored", slices.Concat(measuring, []string{"bench", "bench/peers", "cache", "cache/explored", "explore", "internal/timeline"})},
	{"bench/hunted", []string{"github.com/jacquard-go/jacquard", "bench/measure", "internal/cilog", "internal/command", "internal/executable", "internal/toolchain", "suite/protocol"}},
	{"bench/mutations", slices.Concat(measuring, []string{"bench", "races", "stress", "stress/soak"})},
	{"bench/cmd", []string{"bench", "bench/flakes", "bench/goker", "bench/strategies", "bench/speed", "bench/guarantees", "bench/explored", "bench/hunted", "bench/mutations", "internal/command"}},
}

// measuring lists the layers that most measurements import.
var measuring = []string{"bench/measure", "internal/child", "internal/command", "internal/executable", "internal/toolchain"}

// tested lists imports that only the tests of a layer may make.
var tested = map[string][]string{
	"lifecycle": {"internal/cputime", "internal/postgres", "lifecycle/internal/storetest"}, "explore": {"internal/cputime", "internal/programs"}, "stress/soak": {"internal/postgres"}, "internal/toolchain": {"internal/executable", module}, "internal/litmus": {"explore", "internal/timeline"},
	"lifecycle/internal/domain": {"lifecycle"}, "lifecycle/internal/events": {"lifecycle/internal/storetest"}, "lifecycle/internal/sqlite": {"lifecycle/internal/storetest"}, "lifecycle/internal/postgres": {"lifecycle/internal/schema", "lifecycle/internal/storetest"},
	"lifecycle/jobs": {"lifecycle/internal/storetest", "lifecycle/internal/worktest"}, "lifecycle/locks": {"lifecycle/internal/storetest", "lifecycle/internal/worktest"}, "lifecycle/subplans": {"lifecycle/internal/storetest"},
	"suite": {module}, "suite/guest": {"internal/executable", "internal/toolchain", module}, "internal/search": {"explore", "internal/programs"}, "internal/linear": {"explore", "internal/programs", "internal/verdict"},
}

// plain lists the layers that must not import package testing.
var plain = []string{"cache", "lifecycle", "lifecycle/internal/history", "lifecycle/internal/databases", "lifecycle/internal/faults", "lifecycle/internal/statements", "lifecycle/internal/engine", "lifecycle/internal/sqlite", "lifecycle/internal/postgres", "lifecycle/internal/domain", "lifecycle/internal/events", "lifecycle/internal/schema", "lifecycle/model", "lifecycle/jobs", "lifecycle/locks", "lifecycle/reported", "lifecycle/subplans", "races"}

// arrows finds imports that are not permitted, and packages that are in no layer.
func arrows(pkgs []pkg) []string {
	var wrong []string
	for _, p := range pkgs {
		from, ok := layerOf(p.ImportPath)
		if !ok {
			wrong = append(wrong, p.ImportPath+" is in no layer; add it to the table in internal/house/arrows_test.go")
			continue
		}
		wrong = append(wrong, stray(p, from, p.Imports, from.may)...)
		wrong = append(wrong, stray(p, from, slices.Concat(p.TestImports, p.XTestImports), slices.Concat(from.may, tested[from.path]))...)
		if slices.Contains(plain, from.path) && slices.Contains(p.Imports, "testing") {
			wrong = append(wrong, p.ImportPath+" imports testing outside of its tests; want it to know nothing of testing")
		}
	}
	return wrong
}

// stray finds imports of a package that its layer may not make.
func stray(p pkg, from layer, imports, may []string) []string {
	var wrong []string
	for _, imported := range imports {
		to, ok := layerOf(imported)
		if ok && to.path != from.path && !slices.Contains(may, to.path) {
			wrong = append(wrong, fmt.Sprintf("%s imports %s: got an arrow from %s to %s, want one to %s", p.ImportPath, imported, from.path, to.path, oneOf(may)))
		}
	}
	return wrong
}

func layerOf(path string) (found layer, ok bool) {
	for _, l := range layers {
		if (path == l.path || strings.HasPrefix(path, l.path+"/")) && len(l.path) > len(found.path) {
			found, ok = l, true
		}
	}
	return found, ok
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return "nothing of this module"
	}
	return strings.Join(names, ", ")
}

func TestArrows(t *testing.T) {
	pkgs := must(t, packages)
	if len(pkgs) < 20 {
		t.Fatalf("got %d packages, want the whole module", len(pkgs))
	}
	check(t, arrows(pkgs))
}

func TestArrowsCanFail(t *testing.T) {
	for _, c := range []struct {
		name string
		pkg  pkg
		want string
	}{
		{"up", pkg{ImportPath: "cache", Imports: []string{"lifecycle"}}, "from cache to lifecycle"},
		{"cache to explore", pkg{ImportPath: "cache", Imports: []string{"explore"}}, "from cache to explore"},
		{"explore to cache", pkg{ImportPath: "explore", Imports: []string{"cache"}}, "from explore to cache"},
		{"in a test", pkg{ImportPath: "cache", TestImports: []string{"explore"}}, "from cache to explore"},
		{"in an external test", pkg{ImportPath: "explore", XTestImports: []string{"cache/cachemodel"}}, "from explore to cache"},
		{"a specimen used", pkg{ImportPath: "lifecycle", Imports: []string{"lifecycle/reported"}}, "to lifecycle/reported"},
		{"a specimen used by a test", pkg{ImportPath: "stress", TestImports: []string{"lifecycle/reported/asreported"}}, "to lifecycle/reported"},
		{"the catalogue explored", pkg{ImportPath: "races/canary", Imports: []string{"explore"}}, "from races to explore"},
		{"a driver installed", pkg{ImportPath: "cmd/jacquard", Imports: []string{"lifecycle"}}, "from cmd/jacquard to lifecycle"},
		{"steps imported", pkg{ImportPath: "cmd/jacquard", Imports: []string{"steps"}}, "from cmd/jacquard to steps"},
		{"fuzz imported", pkg{ImportPath: "stress", Imports: []string{"fuzz"}}, "from stress to fuzz"},
		{"a server outside tests", pkg{ImportPath: "lifecycle", Imports: []string{"internal/postgres"}}, "from lifecycle to internal/postgres"},
		{"testing", pkg{ImportPath: "lifecycle", Imports: []string{"testing"}}, "imports testing"},
		{"a peer used", pkg{ImportPath: "cache", XTestImports: []string{"bench/peers"}}, "from cache to bench/peers"},
		{"guarantees used", pkg{ImportPath: "cmd/jacquard", Imports: []string{"bench/guarantees"}}, "from cmd/jacquard to bench/guarantees"},
		{"the explorer in the guarantees", pkg{ImportPath: "bench/guarantees", Imports: []string{"explore"}}, "from bench/guarantees to explore"},
		{"a peer explored", pkg{ImportPath: "bench/peers", Imports: []string{"explore"}}, "from bench/peers to explore"},
		{"new folder", pkg{ImportPath: "shuttle"}, "in no layer"},
	} {
		t.Run(c.name, func(t *testing.T) { catches(t, arrows([]pkg{c.pkg}), c.want) })
	}
	check(t, arrows([]pkg{
		{ImportPath: "races/explored", Imports: []string{"explore", "races/canary", "fmt"}, XTestImports: []string{"testing"}},
		{ImportPath: "lifecycle", Imports: []string{"cache"}, XTestImports: []string{"internal/postgres"}},
	}))
}

// peers are the libraries that the cache is compared with. Only the module in
// bench may require them.
var peers = []string{
	"github.com/maypok86/otter", "github.com/Yiling-J/theine-go", "github.com/jellydator/ttlcache", "github.com/viccon/sturdyc",
}

// dependent finds peers that the main module requires.
func dependent(modfile string) []string {
	var wrong []string
	for _, p := range peers {
		if strings.Contains(modfile, p) {
			wrong = append(wrong, "go.mod requires "+p+"; want it in bench/go.mod only")
		}
	}
	return wrong
}

func TestPeersStayOutside(t *testing.T) {
	check(t, dependent(text(t, "go.mod")))
	if wrong := dependent(text(t, "bench/go.mod")); len(wrong) != len(peers) {
		t.Errorf("bench/go.mod: got %q, want each of the peers", wrong)
	}
}

func TestPeersStayOutsideCanFail(t *testing.T) {
	catches(t, dependent("module m\n\nrequire github.com/viccon/sturdyc v1.1.5\n"), "sturdyc")
}

// TestArrowsHaveNoCycle checks that the table itself permits no cycle.
func TestArrowsHaveNoCycle(t *testing.T) {
	if cycle := cycleIn(layers); cycle != nil {
		t.Errorf("the layers form a cycle: %v", cycle)
	}
	if cycleIn([]layer{{"a", []string{"b"}}, {"b", []string{"a"}}}) == nil {
		t.Error("a planted cycle was not found")
	}
}

// cycleIn returns a cycle of arrows, or nil.
func cycleIn(all []layer) []string {
	next := make(map[string][]string)
	for _, l := range all {
		next[l.path] = l.may
	}
	var follow func(path []string) []string
	follow = func(path []string) []string {
		last := path[len(path)-1]
		if slices.Contains(path[:len(path)-1], last) {
			return path
		}
		for _, to := range next[last] {
			if cycle := follow(append(slices.Clone(path), to)); cycle != nil {
				return cycle
			}
		}
		return nil
	}
	for _, l := range all {
		if cycle := follow([]string{l.path}); cycle != nil {
			return cycle
		}
	}
	return nil
}
