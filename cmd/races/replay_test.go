package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A card that was found is shown only if it leads to what was found, each time.
func TestFoundCardIsFollowed(t *testing.T) {
	for replayed, want := range map[string]string{
		`"replayed":"exactly replayed","kind":"check","message":"lost"`: "",
		`"replayed":"exactly replayed","kind":"check","message":"torn"`: "replay: R4/suggested: the card that was found: got exactly replayed (check: torn), want exactly replayed (check: lost)",
		`"replayed":"no longer fails"`:                                  "replay: R4/suggested: the card that was found: got no longer fails (: ), want exactly replayed (check: lost)",
	} {
		p := impostor(t, `while read job; do case $job in
*card*) echo '{"outcome":{`+replayed+`}}' ;;
*) echo '{"outcome":{"card":"jq2-it","kind":"check","message":"lost"}}' ;;
esac; done
`)
		r := replaying{subject: explored.Subject{ID: "R4/suggested"}, seed: 1, times: 3}
		found, err := r.find(t.Context(), p, command.NewScreen(name, new(bytes.Buffer)))
		switch {
		case want == "" && (err != nil || found.Card != "jq2-it"):
			t.Errorf("%s: got %+v, %v, want the card that was found", replayed, found, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s: got %v, want %s", replayed, err, want)
		}
	}
}
