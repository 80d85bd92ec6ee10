package explore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// Whatever a test's name is, its cards are in a folder of its own below the folder of all
// cards.
func TestFoldersOfStoredCards(t *testing.T) {
	long := strings.Repeat("x", 300)
	seen := make(map[string]string)
	for name, want := range map[string]string{
		"TestA":       "TestA",
		"TestA/b_c":   "TestA/b_c",
		"TestA/b/c":   "TestA/b/c",
		"../../etc":   "%2E%2E/%2E%2E/etc",
		"..":          "%2E%2E",
		".":           "%2E",
		"/etc":        "%/etc",
		"a//b":        "a/%/b",
		"a/":          "a/%",
		"%2E":         "%252E",
		".hidden":     "%2Ehidden",
		"v1.2":        "v1.2",
		"lost update": "lost%20update",
		`c:\x`:        "c%3A%5Cx",
		"a\x00\n":     "a%00%0A",
		"größe/変更":    "größe/変更",
		"bad\xff":     "bad%FF",
		"#01":         "#01",
		long:          "",
		long + "y":    "",
	} {
		got := filepath.ToSlash(explore.StoredFolder(name))
		if want != "" && got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
		if !filepath.IsLocal(filepath.FromSlash(got)) || len(got) > 120 {
			t.Errorf("%q: got %q, want a short path that leads downwards", name, got)
		}
		if other, known := seen[got]; known {
			t.Errorf("%q and %q: got %q for both, want two folders", name, other, got)
		}
		seen[got] = name
	}
}

// aCard is an intact card of an old build.
const aCard = "jq2-AUWlyiktgsfCNZKwCPe8t10FBqYyNi44qAZhZPRyIDEGYWT0ciAwA4CBiQa2TG_kyq2LkovyjtLh4HEHAgEBAgIBAQABBAEAAgADBAEBAQECADdmHrQ"

// Many processes may store at once. No reader ever gets half a card.
func TestStoringAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				f := &explore.Failure{Kind: explore.KindCheck, Message: fmt.Sprint(strings.Repeat("long ", 1000*i), n), Card: aCard}
				if _, err := explore.SaveCard(dir, "TestX/y", f); err != nil {
					t.Errorf("got %v, want no error", err)
				}
				found, err := explore.LoadCards(dir, "TestX/y")
				if err != nil || len(found) != 1 {
					t.Errorf("got %d cards, %v, want 1", len(found), err)
				}
				for name, text := range found {
					if text != aCard {
						t.Errorf("%s: got %q, want the card", name, text)
					}
				}
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(filepath.Join(dir, "TestX", "y"))
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v, want one file and no leftovers", entries, err)
	}
}

// If nothing can be written, the error says so.
func TestStoringInVain(t *testing.T) {
	dir := t.TempDir()
	f := &explore.Failure{Kind: explore.KindCheck, Message: "m", Card: aCard}
	if err := os.WriteFile(filepath.Join(dir, "TestX"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := explore.SaveCard(dir, "TestX", f); err == nil {
		t.Error("a file in the way: got no error, want one")
	}
	if _, err := explore.SaveCard(filepath.Join(dir, "TestX"), "TestX", f); err == nil {
		t.Error("a file for a folder: got no error, want one")
	}
	if name, err := explore.SaveCard(explore.NoCards, "TestX", f); name != "" || err != nil {
		t.Errorf("switched off: got %q, %v, want no file and no error", name, err)
	}
}
