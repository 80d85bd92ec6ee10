package fuzz_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/fuzz"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzActions creates, gets, archives and uses actions of all kinds.
func FuzzActions(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		newWorld(t, input).inMemory().play(60, createAction, createAction, getAction, archiveAction, useAction, useAction)
	})
}

func actionOperations() []operation {
	return []operation{createAction, getAction, archiveAction, useAction}
}

// name returns the name of an action: a good one in some spelling, or a bad one.
func (w *world) name() string {
	return w.tape.Text("build", "Build", "local/BUILD", "tools/test", "srv.1:tools/test", "SRV.1:Tools/Test", "review", "", "a b", "s:a", "a/b/c")
}

// text returns a text of any kind.
func (w *world) text() string {
	return w.tape.Text("", "a", "it is done", "日本\n語", "a\x00b", "\xff\xfe", "'; DROP TABLE plans; --", `{"a": 1}`)
}

// word returns a text for a field that must not be empty, or seldom an empty one.
func (w *world) word() string { return w.tape.Text("worker", "weaver", "w", "日本", "") }

func createAction(w *world) {
	spec := lifecycle.ActionSpec{
		Name: w.name(), Description: "to build it", DefinitionOfDone: "it is built",
		Actors:   lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		Reusable: w.tape.Below(3) > 0, ReadOnly: w.tape.Flag(),
	}
	if w.tape.Below(4) == 3 {
		spec.Description, spec.DefinitionOfDone = w.text(), w.text()
		spec.Actors = lifecycle.Actors{
			Strategy: w.word(), Execution: w.word(), Estimation: w.text(), Review: w.text(), Apply: w.text(), Invariant: w.text(),
		}
	}
	for range fuzz.Pick(w.tape, 0, 0, 0, 1, 2, 3) {
		spec.Arguments = append(spec.Arguments, w.argument())
	}
	w.create(spec)
}

func (w *world) create(spec lifecycle.ActionSpec) {
	_ = do(w, fmt.Sprintf("create action %+v", spec), func(ctx context.Context, s *lifecycle.Service) (lifecycle.Action, error) {
		return s.CreateAction(ctx, spec)
	}, func(lifecycle.Action, int) (lifecycle.Action, error) {
		return w.model.CreateAction(spec, w.now)
	})
}

// argument returns a declaration of an argument. About half of them make sense.
func (w *world) argument() lifecycle.Argument {
	a := lifecycle.Argument{
		Name:     w.tape.Text("n", "m", "Dry-Run", "x_1", "k", ""),
		Type:     fuzz.Pick[lifecycle.ArgumentType](w.tape, "", "string", "integer", "float", "boolean", "string", "integer", "number"),
		Required: w.tape.Flag(),
	}
	if w.tape.Flag() {
		return a
	}
	a.Description = w.text()
	a.Default = w.value()
	a.Min, a.Max = w.bound(), w.bound()
	a.Pattern = w.tape.Text("", "", "a|b", "[0-9]+", `\d`, "(?i)A", "a*?", "^a$", "(?m)^a", "x)|(y", "[", `\Qa`, "a{1,3}", "(?U)a+", "日")
	a.Position = int(int8(fuzz.Pick[byte](w.tape, 0, 0, 0, 1, 2, 3, 255)))
	return a
}

func (w *world) bound() *float64 {
	b := fuzz.Pick(w.tape, 0, 1, -1, 2.5, 9, math.Inf(1), math.NaN(), 1e300)
	if w.tape.Flag() {
		return nil
	}
	return &b
}

// value returns a value for an argument, valid or not.
func (w *world) value() string {
	return w.tape.Text("", "a", "b", "1", "-3", "007", "2.5", "1e3", "true", "false", "True", "NaN", "Inf", "0x10", "1_000", "日", "A", "ab",
		"9223372036854775808", "a\n", "x)|(y", "+5", strings.Repeat("a", 10))
}

func getAction(w *world) {
	name := w.name()
	_ = do(w, "get action "+name, func(ctx context.Context, s *lifecycle.Service) (lifecycle.Action, error) {
		return s.GetAction(ctx, name)
	}, func(lifecycle.Action, int) (lifecycle.Action, error) { return w.model.GetAction(name) })
}

func archiveAction(w *world) {
	name := w.existing()
	_ = do(w, "archive action "+name, func(ctx context.Context, s *lifecycle.Service) (lifecycle.Action, error) {
		return s.ArchiveAction(ctx, name)
	}, func(lifecycle.Action, int) (lifecycle.Action, error) { return w.model.ArchiveAction(name, w.now) })
}

// existing returns the name of an existing action in half of the cases.
func (w *world) existing() string {
	if all := w.model.ListActions(); len(all) > 0 && w.tape.Flag() {
		return all[w.tape.Below(len(all))].Name.String()
	}
	return w.name()
}

func useAction(w *world) {
	name := w.existing()
	var opts lifecycle.UseOptions
	if w.tape.Below(4) == 3 {
		opts = lifecycle.UseOptions{Name: w.name(), Description: w.text(), Profile: w.text(), Projects: w.projects()}
	}
	if w.tape.Flag() {
		opts.ParentID = w.one(w.plans)
	}
	opts.Arguments = w.values(name)
	w.use(name, opts)
}

func (w *world) use(name string, opts lifecycle.UseOptions) {
	_ = do(w, fmt.Sprintf("use action %s with %+v", name, opts), func(ctx context.Context, s *lifecycle.Service) (lifecycle.Plan, error) {
		return s.UseAction(ctx, name, opts)
	}, func(got lifecycle.Plan, service int) (lifecycle.Plan, error) {
		want, err := w.model.UseAction(name, opts, w.now)
		if err == nil {
			w.adopt(service, got.ID)
			w.plans = append(w.plans, got.ID)
			want = w.model.AddPlan(want, got.ID)
		}
		return want, err
	})
}

// values returns values for the action's arguments, seldom with one missing or undeclared.
func (w *world) values(name string) map[string]string {
	values := make(map[string]string)
	if a, err := w.model.GetAction(name); err == nil {
		for _, declared := range a.Arguments {
			if !w.tape.Seldom() {
				values[declared.Name] = w.value()
			}
		}
	}
	if w.tape.Seldom() {
		values[w.tape.Text("n", "m", "")] = w.value()
	}
	return values
}

func (w *world) projects() []lifecycle.ProjectLink {
	var links []lifecycle.ProjectLink
	for range w.tape.Below(3) {
		link := lifecycle.ProjectLink{
			Name:  lifecycle.Name{Namespace: fuzz.Pick(w.tape, "local", "tools", ""), Base: fuzz.Pick(w.tape, "loom", "weft", "Warp", "")},
			Alias: w.text(), ReadOnly: w.tape.Flag(),
		}
		links = append(links, link)
	}
	return links
}
