package domain_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

func TestParseName(t *testing.T) {
	good := map[string]domain.Name{
		"a":                      {Namespace: "local", Base: "a"},
		"A_b-9":                  {Namespace: "local", Base: "a_b-9"},
		"Team-1/x":               {Namespace: "team-1", Base: "x"},
		"Srv_1.x:ns/b":           {Server: "srv_1.x", Namespace: "ns", Base: "b"},
		"local/a":                {Namespace: "local", Base: "a"},
		strings.Repeat("a", 128): {Namespace: "local", Base: strings.Repeat("a", 128)},
	}
	for s, want := range good {
		got, err := domain.ParseName(s)
		if err != nil || got != want {
			t.Errorf("ParseName(%q) = %v, %v, want %v", s, got, err, want)
		}
		if again, err := domain.ParseName(got.String()); err != nil || again != got {
			t.Errorf("ParseName(%q) = %v, %v, want the same name again", got.String(), again, err)
		}
	}
	bad := []string{
		"", "/", "a/", "/a", ":a/b", "s:", "s:a", "s:/a", "s:a/", "a b", "ä", "a/b/c", "a:b:c/d", "n_s/a", "a.b",
		"a\x00", "\xff", "s!:a/b", "'; DROP TABLE plans; --", strings.Repeat("a", 129),
		"\u212a", // the Kelvin sign; its lower case is an ASCII k
	}
	for _, s := range bad {
		got, err := domain.ParseName(s)
		var invalid *faults.InvalidError
		if !errors.Is(err, faults.ErrInvalid) || !errors.As(err, &invalid) || !got.IsZero() {
			t.Errorf("ParseName(%q) = %v, %v, want ErrInvalid", s, got, err)
		}
	}
}

func TestNameAsText(t *testing.T) {
	name, err := domain.ParseName("s:a/b")
	check(t, err)
	data, err := json.Marshal(map[string]domain.Name{"name": name})
	check(t, err)
	if got, want := string(data), `{"name":"s:a/b"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var back map[string]domain.Name
	check(t, json.Unmarshal(data, &back))
	if back["name"] != name {
		t.Errorf("got %v, want %v", back["name"], name)
	}
	if err := json.Unmarshal([]byte(`{"name":"a b"}`), &back); !errors.Is(err, faults.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}
