package explore_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

const prefix = "jq1-"

// forge changes a card's bytes and gives it a right checksum again.
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

// A card that does not fit is refused, and the error says why.
func TestRefusedCards(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small("lost update")
	good := run(t, cfg, bodies.LostUpdate).Failure.Card
	flip := func(at int) string {
		return forge(t, good, func(b []byte) []byte { b[at] ^= 1; return b })
	}
	for _, c := range []struct {
		name, card string
		want       error
	}{
		{"empty", "", explore.ErrCard},
		{"other format", "jq2-" + good[len(prefix):], explore.ErrCard},
		{"cut short", good[:len(good)-3], explore.ErrCard},
		{"too long", good + "AA", explore.ErrCard},
		{"one character", strings.Replace(good, good[10:11], "_", 1), explore.ErrCard},
		{"no base64", prefix + "!!!!", explore.ErrCard},
		{"unknown kind", forge(t, good, func(b []byte) []byte { b[0] = 99; return b }), explore.ErrCard},
		{"bytes left over", forge(t, good, func(b []byte) []byte { return append(b, 0) }), explore.ErrCard},
		{"bytes missing", forge(t, good, func(b []byte) []byte { return b[:len(b)-1] }), explore.ErrCard},
		{"huge number", forge(t, good, func(b []byte) []byte {
			return binary.AppendUvarint(b[:13], 1<<40) // of the seed, which may be; then it ends
		}), explore.ErrCard},
		{"negative number", forge(t, good, func(b []byte) []byte {
			b = append(b[:13], 1, 1, 0, 1, 0)    // seed, decisions, no memory, one deviation at 0
			b = binary.AppendUvarint(b, 1<<63|5) // whose index is negative as an int
			return append(b, 0)
		}), explore.ErrCard},
		{"other test", flip(1), explore.ErrOtherTest},
		{"other program", flip(5), explore.ErrOtherProgram},
		{"other end", flip(9), explore.ErrDiverged},
		{"other kind", forge(t, good, func(b []byte) []byte { b[0]++; return b }), explore.ErrDiverged},
	} {
		if _, err := explore.Replay(t.Context(), cfg, c.card, bodies.LostUpdate); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := explore.Replay(t.Context(), cfg, good, bodies.LostUpdate); err != nil {
		t.Errorf("the card itself: %v", err)
	}
}

// A card replays a schedule, not a program: another body diverges.
func TestCardOfAnotherBody(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small("lost update")
	card := run(t, cfg, bodies.LostUpdate).Failure.Card
	if _, err := explore.Replay(t.Context(), cfg, card, bodies.Touch); !errors.Is(err, explore.ErrDiverged) {
		t.Errorf("got %v, want %v", err, explore.ErrDiverged)
	}
}

// Without control nothing is explored, and nothing says that it was.
func TestNotControlled(t *testing.T) {
	if explore.Controlled() {
		return
	}
	if _, err := explore.Run(t.Context(), explore.Config{}, bodies.LostUpdate); !errors.Is(err, explore.ErrNotControlled) {
		t.Errorf("got %v, want %v", err, explore.ErrNotControlled)
	}
}
