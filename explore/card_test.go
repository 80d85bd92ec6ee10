package explore_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

const prefix = "jq2-"

// Offsets of a card's fixed fields.
const (
	kindByte    = 0
	testByte    = 1
	programByte = 5
	causeByte   = 9
	endByte     = 13
	wordsByte   = 17
)

// forge changes a card's bytes and corrects its checksum.
func forge(t *testing.T, card string, change func([]byte) []byte) string {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(card, prefix))
	if err != nil {
		t.Fatal(err)
	}
	b = change(b[:len(b)-4])
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// flip changes one byte of a card.
func flip(t *testing.T, card string, at int) string {
	return forge(t, card, func(b []byte) []byte { b[at] ^= 1; return b })
}

// A malformed card, or a card of another test, is refused with an error that says why.
func TestRefusedCards(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small("lost update")
	good := run(t, cfg, programs.LostUpdate).Failure.Card
	for _, c := range []struct {
		name, card string
		want       error
		says       string
	}{
		{"empty", "", explore.ErrCard, `got "", want it to begin with "jq2-"`},
		{"old format", "jq1-" + good[len(prefix):], explore.ErrFormat, `got "jq1-", want it to begin with "jq2-"`},
		{"old format too", "jq1-" + good[len(prefix):], explore.ErrCard, "explore again"},
		{"cut short", good[:len(good)-3], explore.ErrCard, "not a card"},
		{"too long", good + "AA", explore.ErrCard, "not a card"},
		{"two lines", good[:20] + "\n" + good[20:], explore.ErrCard, "more than one line"},
		{"no base64", prefix + "!!!!", explore.ErrCard, "illegal base64"},
		{"a character less", good[:len(good)-1], explore.ErrCard, "a character is missing or wrong"},
		{"unknown kind", forge(t, good, func(b []byte) []byte { b[kindByte] |= 15; return b }), explore.ErrCard, "unknown kind of failure 15"},
		{"bytes left over", forge(t, good, func(b []byte) []byte { return append(b, 1, 1, 0) }), explore.ErrCard, "1 bytes too many"},
		{"points of nothing", forge(t, good, func(b []byte) []byte { return append(b, 1, 0) }), explore.ErrCard, "want 1 to 127"},
		{"stalls of nothing", forge(t, good, func(b []byte) []byte { return append(b, 0) }), explore.ErrCard, "want more than 0"},
		{"bytes missing", forge(t, good, func(b []byte) []byte { return b[:len(b)-1] }), explore.ErrCard, "cut short"},
		{"no words", forge(t, good, func(b []byte) []byte { return append(b[:wordsByte], 0) }), explore.ErrCard, "got no toolchain"},
		{"endless words", forge(t, good, func(b []byte) []byte {
			return binary.AppendUvarint(b[:wordsByte], 1<<40)
		}), explore.ErrCard, "want at most"},
		{"number without end", forge(t, good, func(b []byte) []byte {
			return append(b[:wordsByte], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		}), explore.ErrCard, "overflow"},
		{"unknown phrase", forge(t, good, func(b []byte) []byte { return append(b[:wordsByte], 1, 1, 0xff) }), explore.ErrCard, "unknown phrase"},
		{"written at length", forge(t, good, func(b []byte) []byte {
			return append(append(b[:wordsByte:wordsByte], b[wordsByte]|0x80, 0), b[wordsByte+1:]...)
		}), explore.ErrCard, "not written as cards are"},
		{"other test", flip(t, good, testByte), explore.ErrOtherTest, "lost update"},
	} {
		_, err := explore.Replay(t.Context(), cfg, c.card, programs.LostUpdate)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v that says %q", c.name, err, c.want, c.says)
		}
	}
}

// Replay is strict in the program that made the card.
func TestStrictReplay(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small("lost update")
	good := run(t, cfg, programs.LostUpdate).Failure.Card
	for _, c := range []struct {
		name, card string
		body       func(*explore.T)
		outcome    explore.Outcome
		says       string
	}{
		{"as it is", good, programs.LostUpdate, explore.Exact, "exactly replayed"},
		{"other end", flip(t, good, endByte), programs.LostUpdate, explore.Diverged, "got one that ends in"},
		{"other kind", forge(t, good, func(b []byte) []byte { b[kindByte]++; return b }), programs.LostUpdate, explore.Diverged, "expected the end, panic; got the end, check (n is #, want #)"},
		{"other body", good, programs.Touch, explore.Diverged, "first divergence at decision"},
	} {
		r, err := explore.Replay(t.Context(), cfg, c.card, c.body)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.Outcome != c.outcome || !strings.Contains(r.String(), c.says) {
			t.Errorf("%s: got %v: %s, want %v: …%s…", c.name, r.Outcome, r, c.outcome, c.says)
		}
		if (r.Result.Verdict == explore.Violated) != (c.outcome == explore.Exact) {
			t.Errorf("%s: got the verdict %v, want violated exactly if it replays", c.name, r.Result.Verdict)
		}
		if (r.Divergence != nil) != (c.outcome == explore.Diverged) {
			t.Errorf("%s: got the divergence %v, want one exactly if it diverges", c.name, r.Divergence)
		}
	}
}

// letters are the characters of URL-safe base64. A card contains no others.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// A card with any single character changed, lost or doubled is refused.
func TestEveryCharacterCounts(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Canaries() {
		f := run(t, small(b.Name), b.Run).Failure
		if f == nil {
			continue
		}
		refused := func(card string) {
			t.Helper()
			if err := explore.CheckCard(card); !errors.Is(err, explore.ErrCard) {
				t.Errorf("%s: %q, which was %q: got %v, want %v", b.Name, card, f.Card, err, explore.ErrCard)
			}
		}
		for i := range f.Card {
			refused(f.Card[:i] + f.Card[i+1:])
			refused(f.Card[:i])
			for _, letter := range letters + "=+/ \n\x00é" {
				if string(letter) != f.Card[i:i+1] {
					refused(f.Card[:i] + string(letter) + f.Card[i+1:])
				}
				if string(letter) != " " && string(letter) != "\n" || i > 0 {
					refused(f.Card[:i] + string(letter) + f.Card[i:])
				}
			}
		}
		if err := explore.CheckCard(" " + f.Card + "\n"); err != nil {
			t.Errorf("%s: the card itself: got %v, want no error", b.Name, err)
		}
	}
}

// A card with a correct checksum but impossible contents is followed as far as possible, or
// refused. Replay neither panics nor runs for ever. With -short each byte gets two changes
// instead of five.
func TestNonsenseCards(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small("lost update")
	cfg.Races = explore.RacesNote
	changes := []byte{1, 2, 0x81, 0x7f, 0xff}
	if testing.Short() {
		changes = changes[2:4]
	}
	outcomes := make(map[string]int)
	for _, body := range []func(*explore.T){programs.LostUpdate, programs.UnlockedCounter} {
		good := run(t, cfg, body).Failure.Card
		raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(good, prefix))
		if err != nil {
			t.Fatal(err)
		}
		for at := programByte; at < len(raw)-4; at++ {
			for _, change := range changes {
				card := forge(t, good, func(b []byte) []byte { b[at] ^= change; return b })
				r, err := explore.Replay(t.Context(), cfg, card, body)
				switch {
				case err == nil:
					outcomes[r.Outcome.String()]++
				case errors.Is(err, explore.ErrCard):
					outcomes["refused"]++
				default:
					t.Errorf("byte %d changed by %#x: got %v, want an outcome or ErrCard", at, change, err)
				}
			}
		}
	}
	t.Logf("%v", outcomes)
	for _, want := range []string{"refused", "diverged", "re-anchored"} {
		if outcomes[want] == 0 {
			t.Errorf("got %v, want some %s", outcomes, want)
		}
	}
}

// Without control nothing is explored, and the error says so.
func TestNotControlled(t *testing.T) {
	if explore.Controlled() {
		return
	}
	if _, err := explore.Run(t.Context(), explore.Config{}, programs.LostUpdate); !errors.Is(err, explore.ErrNotControlled) {
		t.Errorf("got %v, want %v", err, explore.ErrNotControlled)
	}
}
