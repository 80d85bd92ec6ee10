package fuzz_test

import (
	"context"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// FuzzArgument declares an action with one argument and gives it one value. A bound that equals unbounded means no bound.
func FuzzArgument(f *testing.F) {
	const unbounded = 12345
	f.Add("string", "", "a", unbounded+0.0, unbounded+0.0, "", false)
	f.Add("string", "a|ab", "ab", 1.0, 2.0, "a", true)
	f.Add("string", "a|ab", "abc", 0.0, 9.0, "", true)
	f.Add("string", "b", "ab", 0.0, 9.0, "", true)
	f.Add("string", "(?m)^a$", "a\nb", 0.0, 9.0, "a", false)
	f.Add("string", "日.", "日本", 2.0, 2.0, "日語", false)
	f.Add("string", `x)|(y`, "x", 0.0, 9.0, "", true)
	f.Add("string", `\Qa`, "a", 0.0, 9.0, "", true)
	f.Add("integer", "[0-9]+", "-0012", -12.0, 12.0, "7", false)
	f.Add("integer", "", "9223372036854775807", 9.223372036854775e18, 1e300, "", true)
	f.Add("float", "", "1e400", unbounded+0.0, unbounded+0.0, "0x1p-2", false)
	f.Add("float", "", "1_0", 10.0, 10.0, "", true)
	f.Add("boolean", "t.*", "true", unbounded+0.0, unbounded+0.0, "false", false)
	f.Add("", "", "\xff", 0.0, 1.0, "\x00", true)
	f.Fuzz(func(t *testing.T, kind, pattern, value string, least, most float64, otherwise string, required bool) {
		a := lifecycle.Argument{
			Name: "a", Type: lifecycle.ArgumentType(kind), Pattern: pattern, Min: &least, Max: &most, Default: otherwise, Required: required,
		}
		if least == unbounded {
			a.Min = nil
		}
		if most == unbounded {
			a.Max = nil
		}
		w := newWorld(t, nil).inMemory()
		w.create(lifecycle.ActionSpec{
			Name: "build", Reusable: true, Arguments: []lifecycle.Argument{a},
			Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		})
		for _, values := range []map[string]string{{"a": value}, {}, {"a": value, "b": value}} {
			w.use("build", lifecycle.UseOptions{Arguments: values})
		}
		w.compareLists()
		_, err := w.services[0].UseAction(context.Background(), "build", lifecycle.UseOptions{Arguments: map[string]string{"b": "1"}})
		if err == nil {
			t.Error("got no error for a use with an undeclared argument, want one")
		}
		w.close()
	})
}
