package fuzz_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// wholeName matches every valid name.
var wholeName = regexp.MustCompile(`\A(?:([A-Za-z0-9_.-]{1,128}):([A-Za-z0-9-]{1,128})/|(?:([A-Za-z0-9-]{1,128})/)?)([A-Za-z0-9_-]{1,128})\z`)

// FuzzName parses names: it accepts those that wholeName matches, and a normalised name parses to itself in every form.
func FuzzName(f *testing.F) {
	for _, s := range []string{
		"build", "Tools/Build", "Srv_1.x:ns/b", "", "/", "a:b", "a/b/c", "a:b:c/d", "a b", "\u212a/x", "ſ", "a\x00", "\xff",
		strings.Repeat("a", 128), strings.Repeat("a", 129), ":a/b", "s:/a", "s:a/", "local/", "A-1/B_2", "n_s/a", "s:n_s/a", "n.s/a", "s d:a/b", "a.b", "s:a/b.c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := lifecycle.ParseName(s)
		if parts := wholeName.FindStringSubmatch(s); (err == nil) != (parts != nil) {
			t.Fatalf("%q: got %v, %v, want it accepted %v", s, name, err, parts != nil)
		} else if err != nil {
			refused(t, s, name, err)
			return
		} else if want := named(parts); name != want {
			t.Fatalf("%q: got %+v, want %+v", s, name, want)
		}
		for _, again := range []string{name.String(), strings.ToUpper(name.String()), strings.ToUpper(s), strings.ToLower(s)} {
			if got, err := lifecycle.ParseName(again); err != nil || got != name {
				t.Errorf("%q: got %v, %v, want %v as from %q", again, got, err, name, s)
			}
		}
		inJSON(t, name)
	})
}

// named returns the name with these parts: server, its namespace, namespace, base.
func named(parts []string) lifecycle.Name {
	name := lifecycle.Name{
		Server: strings.ToLower(parts[1]), Namespace: strings.ToLower(parts[2] + parts[3]), Base: strings.ToLower(parts[4]),
	}
	if name.Namespace == "" {
		name.Namespace = lifecycle.DefaultNamespace
	}
	return name
}

// refused checks the error for a bad name.
func refused(t *testing.T, s string, name lifecycle.Name, err error) {
	var invalid *lifecycle.InvalidError
	if !name.IsZero() || !errors.Is(err, lifecycle.ErrInvalid) || !errors.As(err, &invalid) {
		t.Errorf("%q: got %+v, %v, want ErrInvalid and no name", s, name, err)
	}
	var into lifecycle.Name
	if err := into.UnmarshalText([]byte(s)); !errors.Is(err, lifecycle.ErrInvalid) || !into.IsZero() {
		t.Errorf("%q: got %+v, %v from UnmarshalText, want ErrInvalid", s, into, err)
	}
}

// inJSON checks that a name can be encoded as JSON and decoded again, as a value and as a key.
func inJSON(t *testing.T, name lifecycle.Name) {
	data, err := json.Marshal(map[lifecycle.Name]lifecycle.Name{name: name})
	var back map[lifecycle.Name]lifecycle.Name
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil || len(back) != 1 || back[name] != name {
		t.Errorf("%v: got %s, %v, %v", name, data, back, err)
	}
}
