package databases_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/faults"
)

// Every spelling of a URL gives the same URL. Logs show it without its password.
func TestURLs(t *testing.T) {
	relative, err := filepath.Abs("plans.db")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ url, want, shown string }{
		{"sqlite://", "sqlite:///:memory:", "sqlite:///:memory:"},
		{"SQLite:///:memory:", "sqlite:///:memory:", "sqlite:///:memory:"},
		{"sqlite:///plans.db", "sqlite:///" + relative, "sqlite:///" + relative},
		{"sqlite:////a/../b%20c.db", "sqlite:////b%20c.db", "sqlite:////b%20c.db"},
		{"postgresql://u:secret@h/d?sslmode=disable&connect_timeout=5", "postgres://u:secret@h/d?connect_timeout=5&sslmode=disable",
			"postgres://u:xxxxx@h/d?connect_timeout=5&sslmode=disable"},
		{"postgres://h/d?password=secret", "postgres://h/d?password=secret", "postgres://h/d?password=xxxxx"},
	} {
		u, err := databases.ParseURL(test.url)
		if err != nil || u.String() != test.want || u.Redacted() != test.shown {
			t.Errorf("%s: got %s, shown as %s, %v; want %s, shown as %s", test.url, u, u.Redacted(), err, test.want, test.shown)
		}
		if memory := strings.HasSuffix(test.want, databases.InMemory); u.InMemory() != memory {
			t.Errorf("%s: got in memory %v, want %v", test.url, u.InMemory(), memory)
		}
	}
	if shown := (databases.URL{Server: "postgres://u:secret@h:port/d"}).Redacted(); strings.Contains(shown, "secret") {
		t.Errorf("got %s with the password, want it without", shown)
	}
}

// A string that is no database URL is refused, without the password in the error.
func TestURLsRefused(t *testing.T) {
	for url, want := range map[string]error{
		"":                               faults.ErrUnsupportedURL,
		"sqlite":                         faults.ErrUnsupportedURL,
		"mysql://u:secret@h/d":           faults.ErrUnsupportedURL,
		"postgress://u:secret@h/d":       faults.ErrUnsupportedURL,
		"u:secret@h/d":                   faults.ErrUnsupportedURL,
		"host=h password=secret":         faults.ErrUnsupportedURL,
		"postgres://u:secret@h/\x00":     faults.ErrInvalid,
		"sqlite://h/d":                   faults.ErrInvalid,
		"sqlite:///d?mode=ro":            faults.ErrInvalid,
		"sqlite:///d/":                   faults.ErrInvalid,
		"sqlite:///\x00":                 faults.ErrInvalid,
		"sqlite:///\xff":                 faults.ErrInvalid,
		"postgres://u:secret@h:port/d":   faults.ErrInvalid,
		"postgres://u:secret@h/d?port=x": faults.ErrInvalid,
	} {
		if _, err := databases.ParseURL(url); !errors.Is(err, want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, want %v and no password", url, err, want)
		}
	}
}
