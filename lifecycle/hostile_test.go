package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// hostileTexts are texts that some programs store as something else.
var hostileTexts = []string{
	"'; DROP TABLE plans; --", `"`, `\`, `\'`, "%_?$1 :a @b {{.}} ${x}", "`", "--", "/*", "NULL", "\\u0000", "0x00",
	"\x00", "a\x00b", "\xff", "a\xc0\x80b", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", // invalid UTF-8, or NUL
	"\ufeff", "\ufffd", "\u2028\u2029", "\u202e", "\u200d", "\u0301", "\ufdd0", "\U0010ffff", "\x7f", "\u0080",
	"e\u0301", "\u00e9", "\u212a", "\u017f", "\u0130", "ß", "ẞ", "ﬁ", "👩‍👩‍👧", "日本", // look alike but differ
	" ", "\t", "\r\n", "a\nb", " a ", "\x01\x02\x1b[31m", "\v\f",
	`{"a":`, `{"reusable":true}`, `]}`, `<script>&amp;</script>`, "=1+1", "../../etc/passwd", "con", strings.Repeat("[", 10000),
}

// fields are all places where a caller gives text.
var fields = []struct {
	name string
	put  func(ctx context.Context, s *lifecycle.Service, text string) (any, error)
}{
	{"action name", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.CreateAction(ctx, spec(text))
	}},
	{"action", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.CreateAction(ctx, lifecycle.ActionSpec{
			Name: next(s), Description: text, DefinitionOfDone: text,
			Actors: lifecycle.Actors{
				Strategy: "-" + text, Execution: "-" + text, Estimation: text, Review: text, Apply: text, Invariant: text,
			},
			Arguments: []lifecycle.Argument{{Name: "a", Description: text, Default: text}},
		})
	}},
	{"required actor", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		a := spec(next(s))
		a.Actors.Execution = text
		return s.CreateAction(ctx, a)
	}},
	{"argument name", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		a := spec(next(s))
		a.Arguments = []lifecycle.Argument{{Name: text}}
		return s.CreateAction(ctx, a)
	}},
	{"argument type", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		a := spec(next(s))
		a.Arguments = []lifecycle.Argument{{Name: "a", Type: lifecycle.ArgumentType(text)}}
		return s.CreateAction(ctx, a)
	}},
	{"pattern", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		a := spec(next(s))
		a.Arguments = []lifecycle.Argument{{Name: "a", Pattern: text}}
		return s.CreateAction(ctx, a)
	}},
	{"name of an action to use", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, text, lifecycle.UseOptions{})
	}},
	{"plan name", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, "free", lifecycle.UseOptions{Name: text})
	}},
	{"plan", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, "free", lifecycle.UseOptions{
			Description: text, Profile: text, Arguments: map[string]string{"text": text},
			Projects: []lifecycle.ProjectLink{{Name: lifecycle.Name{Namespace: "local", Base: "p"}, Alias: text}},
		})
	}},
	{"parent", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, "free", lifecycle.UseOptions{ParentID: text})
	}},
	{"name of a value", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, "free", lifecycle.UseOptions{Arguments: map[string]string{text: "x"}})
	}},
	{"project", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.UseAction(ctx, "free", lifecycle.UseOptions{Projects: []lifecycle.ProjectLink{{Name: lifecycle.Name{Namespace: "local", Base: text}}}})
	}},
	{"failure", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		id, err := started(ctx, s)
		if err != nil {
			return nil, err
		}
		return s.FailStrategize(ctx, id, lifecycle.Failure{Message: text, Details: map[string]string{text: text, "": text}})
	}},
	{"decision root", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		id, err := started(ctx, s)
		if err != nil {
			return nil, err
		}
		return s.Transition(ctx, lifecycle.Request{PlanID: id, Command: lifecycle.CommandCompleteStrategize, DecisionRootID: text})
	}},
	{"revert", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		id, err := started(ctx, s)
		if err == nil {
			_, err = s.FailStrategize(ctx, id, lifecycle.Failure{Message: "x"})
		}
		if err != nil {
			return nil, err
		}
		return s.Revert(ctx, id, lifecycle.RevertOptions{Reason: text})
	}},
	{"phase", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		id, err := started(ctx, s)
		if err != nil {
			return nil, err
		}
		return s.Revert(ctx, id, lifecycle.RevertOptions{To: lifecycle.Phase(text)})
	}},
	{"sandbox reference", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		id, err := started(ctx, s)
		for _, c := range []lifecycle.Command{lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan} {
			if err == nil {
				_, err = s.Transition(ctx, lifecycle.Request{PlanID: id, Command: c})
			}
		}
		if err != nil {
			return nil, err
		}
		return s.Transition(ctx, lifecycle.Request{PlanID: id, Command: lifecycle.CommandStartExecute, SandboxRefs: []string{text, text}})
	}},
	{"command", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.Transition(ctx, lifecycle.Request{PlanID: "x", Command: lifecycle.Command(text)})
	}},
	{"operation", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return record(ctx, s, lifecycle.Entry{Operation: lifecycle.Operation(text), Path: "p"})
	}},
	{"change", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return record(ctx, s, lifecycle.Entry{
			Operation: lifecycle.OperationMove, Path: text, MovedFrom: text, BeforeHash: text, AfterHash: text,
		})
	}},
	{"action to get", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.GetAction(ctx, text)
	}},
	{"action to archive", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.ArchiveAction(ctx, text)
	}},
	{"action to delete", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return nil, s.DeleteAction(ctx, text)
	}},
	{"plan to archive", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.ArchivePlan(ctx, text)
	}},
	{"plan to delete", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return nil, s.DeletePlan(ctx, text, 0)
	}},
	{"plan to get", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) { return s.GetPlan(ctx, text) }},
	{"plan to get, of any age", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.Recent().GetPlan(ctx, text)
	}},
	{"plan to move", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.StartExecute(ctx, text)
	}},
	{"plan of a new changeset", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.ExecutionContext(text).StartChangeset(ctx)
	}},
	{"plan of a change", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.ExecutionContext(text).RecordChange(ctx, entry("a"))
	}},
	{"plan of a changeset to finish", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return nil, s.ExecutionContext(text).FinishChangeset(ctx, "x")
	}},
	{"changeset to finish", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return nil, s.ExecutionContext("x").FinishChangeset(ctx, text)
	}},
	{"plan of changesets", func(ctx context.Context, s *lifecycle.Service, text string) (any, error) {
		return s.ExecutionContext(text).Changesets(ctx)
	}},
}

// next returns a name that no action has yet.
func next(s *lifecycle.Service) string {
	all, err := s.ListActions(context.Background())
	return fmt.Sprint("n", len(all), err == nil)
}

// started makes a plan and starts it.
func started(ctx context.Context, s *lifecycle.Service) (id string, err error) {
	p, err := s.UseAction(ctx, "free", lifecycle.UseOptions{})
	if err == nil {
		_, err = s.StartStrategize(ctx, p.ID)
	}
	return p.ID, err
}

// record records a change of a new plan, and returns the recorded change.
func record(ctx context.Context, s *lifecycle.Service, e lifecycle.Entry) (any, error) {
	p, err := s.UseAction(ctx, "free", lifecycle.UseOptions{})
	if err != nil {
		return nil, err
	}
	c := s.ExecutionContext(p.ID)
	if _, err = c.StartChangeset(ctx); err == nil {
		_, err = c.RecordChange(ctx, e)
	}
	if err != nil {
		return nil, err
	}
	return c.Changesets(ctx)
}

// agree runs a script on each kind of store, with the same clock and entropy. Its
// answers and the final state must be the same on all.
func agree(t *testing.T, script func(t *testing.T, s *lifecycle.Service) []string) {
	t.Helper()
	var first []string
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			s := open(t, lifecycle.Config{URL: store.url(t), Clock: ticker(), Entropy: zeros{}, MaxAge: time.Hour})
			free := spec("free")
			free.Arguments = []lifecycle.Argument{{Name: "text"}}
			check(t, ignore(s.CreateAction(context.Background(), free)))
			said := append(script(t, s), state(t, s))
			if first == nil {
				first = said
			}
			if len(said) != len(first) {
				t.Fatalf("got %d answers, want %d as from %s", len(said), len(first), stores[0].name)
			}
			for i := range said {
				if said[i] != first[i] {
					t.Errorf("got  %.1000s\nwant %.1000s\nas from %s", said[i], first[i], stores[0].name)
				}
			}
		})
	}
}

// said returns an answer as text. An error must be one of this package's.
func said(t *testing.T, what string, answer any, err error) string {
	t.Helper()
	if err == nil {
		return fmt.Sprintf("%s: %+v", what, answer)
	}
	for _, kind := range []error{lifecycle.ErrInvalid, lifecycle.ErrNotFound, lifecycle.ErrAlreadyExists, lifecycle.ErrArchived,
		lifecycle.ErrInvalidTransition, lifecycle.ErrNotReady, lifecycle.ErrConflict, lifecycle.ErrNoActiveChangeset, lifecycle.ErrReferred} {
		if errors.Is(err, kind) {
			return fmt.Sprintf("%s: %v: %v", what, kind, err)
		}
	}
	t.Errorf("%s: got %v, want no error, or one about the caller's input", what, err)
	return what
}

// A hostile text in any field is stored unchanged or refused, and all stores
// agree on that.
func TestHostileTexts(t *testing.T) {
	ctx := context.Background()
	agree(t, func(t *testing.T, s *lifecycle.Service) (answers []string) {
		for _, text := range append(hostileTexts, "") {
			for _, field := range fields {
				answer, err := field.put(ctx, s, text)
				answers = append(answers, said(t, fmt.Sprintf("%s %.60q", field.name, text), answer, err))
				if p, ok := answer.(lifecycle.Plan); ok && err == nil {
					got, err := s.GetPlan(ctx, p.ID)
					check(t, err)
					if !reflect.DeepEqual(got, p) {
						t.Errorf("%s %.60q: got %+v, want %+v", field.name, text, got, p)
					}
				}
			}
		}
		return answers
	})
}

// The contents of a plan and of a change are returned byte for byte.
func TestTextsComeBack(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		free := spec("free")
		free.Arguments = []lifecycle.Argument{{Name: "text"}}
		check(t, ignore(s.CreateAction(ctx, free)))
		all := strings.ToValidUTF8(strings.ReplaceAll(strings.Join(hostileTexts, ""), "\x00", ""), "")
		for _, text := range []string{all, strings.Repeat("x", 10<<20)} {
			p, err := s.UseAction(ctx, "free", lifecycle.UseOptions{Arguments: map[string]string{"text": text}})
			check(t, err)
			c := s.ExecutionContext(p.ID)
			check(t, ignore(c.StartChangeset(ctx)))
			check(t, ignore(c.RecordChange(ctx, entry(text))))
			got, err := s.GetPlan(ctx, p.ID)
			check(t, err)
			changesets, err := c.Changesets(ctx)
			check(t, err)
			if got.Arguments["text"] != text || changesets[0].Entries[0].Path != text {
				t.Errorf("%.40q…: got another text back, want it unchanged", text)
			}
		}
	})
}

// One call accepts a limited amount of text, in any number of pieces.
func TestTooMuchText(t *testing.T) {
	ctx := context.Background()
	half := strings.Repeat("x", lifecycle.MaxText/2)
	many := make(map[string]string)
	for i := range lifecycle.MaxText / 64 {
		many[fmt.Sprint(i)] = ""
	}
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, _ := populated(t, s)
		check(t, ignore(s.StartStrategize(ctx, p.ID)))
		before := state(t, s)
		great := spec("great")
		great.Description, great.DefinitionOfDone = half, half
		spread := spec("spread")
		spread.Arguments = make([]lifecycle.Argument, lifecycle.MaxText/64)
		move := lifecycle.Entry{Operation: lifecycle.OperationMove, Path: half, MovedFrom: half, AfterHash: "x"}
		refs := lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandStartExecute, SandboxRefs: make([]string, lifecycle.MaxText/64+1)}
		projects := lifecycle.UseOptions{Projects: make([]lifecycle.ProjectLink, lifecycle.MaxText/64+1)}
		for name, err := range map[string]error{
			"action":    ignore(s.CreateAction(ctx, great)),
			"arguments": ignore(s.CreateAction(ctx, spread)),
			"use":       ignore(s.UseAction(ctx, "build", lifecycle.UseOptions{Description: half, Profile: half + "x"})),
			"values":    ignore(s.UseAction(ctx, "build", lifecycle.UseOptions{Arguments: many})),
			"projects":  ignore(s.UseAction(ctx, "build", projects)),
			"failure":   ignore(s.FailStrategize(ctx, p.ID, lifecycle.Failure{Message: half, Details: map[string]string{"x": half}})),
			"details":   ignore(s.FailStrategize(ctx, p.ID, lifecycle.Failure{Message: "x", Details: many})),
			"sandboxes": ignore(s.Transition(ctx, refs)),
			"change":    ignore(s.ExecutionContext(p.ID).RecordChange(ctx, move)),
		} {
			if !errors.Is(err, lifecycle.ErrInvalid) || !strings.Contains(err.Error(), "too much text") || len(err.Error()) > 300 {
				t.Errorf("%s: got %.300v, want it refused with a short error", name, err)
			}
		}
		long := spec("long")
		long.Arguments = []lifecycle.Argument{{Name: "a", Pattern: strings.Repeat("x", 4097)}}
		if err := ignore(s.CreateAction(ctx, long)); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want a long pattern refused", err)
		}
		if after := state(t, s); after != before {
			t.Errorf("got %.1000s\nwant it unchanged: %s", after, before)
		}
		if err := ignore(s.GetPlan(ctx, half)); !errors.Is(err, lifecycle.ErrNotFound) || len(err.Error()) > 1000 {
			t.Errorf("got %.1000v, want a short not-found error", err)
		}
	})
}

// A listing of very many plans is complete and in order.
func TestVeryManyPlans(t *testing.T) {
	ctx := context.Background()
	agree(t, func(t *testing.T, s *lifecycle.Service) []string {
		const many = 1000
		last := ""
		for range many {
			p, err := s.UseAction(ctx, "free", lifecycle.UseOptions{ParentID: last})
			check(t, err)
			last = p.ID
		}
		all, err := s.ListPlans(ctx)
		check(t, err)
		for i := range all {
			if i > 0 && (all[i].ID <= all[i-1].ID || all[i].ParentID != all[i-1].ID || all[i].RootID != all[0].ID) {
				t.Fatalf("plan %d: got %+v after %s, want each the child of the one before", i, all[i], all[i-1].ID)
			}
		}
		if len(all) != many {
			t.Errorf("got %d plans, want %d", len(all), many)
		}
		return nil
	})
}
