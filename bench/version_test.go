package bench

import "testing"

func TestVersion(t *testing.T) {
	const text = "module m\n\nrequire one v1.2.3\n\nrequire (\n\ttwo/v2 v2.0.0 // indirect\n)\n\nreplace three => ../three\n"
	for module, want := range map[string]string{"one": "v1.2.3", "two/v2": "v2.0.0", "two": "", "four": ""} {
		if got := version(text, module); got != want {
			t.Errorf("%s: got %q, want %q", module, got, want)
		}
	}
	if Version("github.com/maypok86/otter/v2") == "" {
		t.Error("otter has no version in go.mod")
	}
}
