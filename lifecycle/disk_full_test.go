package lifecycle_test

import (
	"context"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// greatCalls are changes that need more space than a database has left.
func greatCalls(s *lifecycle.Service, p lifecycle.Plan) map[string]func(context.Context) error {
	text := noise(256 << 10)
	great := spec("great")
	great.Description = text
	return map[string]func(context.Context) error{
		"create action": func(ctx context.Context) error { return ignore(s.CreateAction(ctx, great)) },
		"use action": func(ctx context.Context) error {
			return ignore(s.UseAction(ctx, "build", lifecycle.UseOptions{Description: text}))
		},
		"transition": func(ctx context.Context) error { return ignore(s.Cancel(ctx, p.ID, text)) },
		"record change": func(ctx context.Context) error {
			err := ignore(s.ExecutionContext(p.ID).RecordChange(ctx, entry(text)))
			if errors.Is(err, lifecycle.ErrFinished) { // the transition came first, and succeeded
				return nil
			}
			return err
		},
	}
}

// noise returns incompressible text of a length.
func noise(length int) string {
	random := rand.NewChaCha8([32]byte{1})
	bytes := make([]byte, length)
	_, _ = random.Read(bytes) // never fails
	return base64.RawStdEncoding.EncodeToString(bytes)[:length]
}

// failsAs checks that an error names the kind of fault and the faulty database.
func failsAs(t *testing.T, what, url string, err, want error) {
	t.Helper()
	var failure *lifecycle.DatabaseError
	switch {
	case !errors.Is(err, want) || !errors.As(err, &failure):
		t.Errorf("%s: got %v, want a DatabaseError for %v", what, err, want)
	case failure.URL != url || !strings.Contains(err.Error(), url) || !strings.Contains(err.Error(), want.Error()):
		t.Errorf("%s: got %q, want it to name %s and to say %q", what, err, url, want)
	}
}

// full makes calls that need space without any, and again with some. At first
// they fail and change nothing, then they succeed.
func full(t *testing.T, s *lifecycle.Service, url string, p lifecycle.Plan, makeRoom func()) {
	t.Helper()
	ctx := context.Background()
	before := state(t, s)
	for range 2 {
		for name, call := range greatCalls(s, p) {
			failsAs(t, name, url, call(ctx), lifecycle.ErrFull)
			if after := state(t, s); after != before {
				t.Errorf("%s: got %.2000s\nwant it unchanged: %s", name, after, before)
			}
		}
	}
	makeRoom()
	for name, call := range greatCalls(s, p) {
		if err := call(ctx); err != nil {
			t.Errorf("%s: got %v, want it done now", name, err)
		}
	}
	if plans, err := s.ListPlans(ctx); err != nil || len(plans) != 2 {
		t.Errorf("got %d plans, %v, want 2", len(plans), err)
	}
}

// A database at its limit of pages is full, as one on a full disk is.
func TestSQLiteLimitReached(t *testing.T) {
	for _, store := range stores[1:3] {
		t.Run(store.name, func(t *testing.T) {
			url := store.url(t)
			s, f := faulty(t, url)
			p, _ := populated(t, s)
			f.Limit(t, 1)
			full(t, s, url, p, func() { f.Limit(t, 0) })
		})
	}
}
