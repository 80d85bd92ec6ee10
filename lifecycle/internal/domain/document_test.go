package domain_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
)

// Encoding and decoding a document of an action or a plan returns the same value.
func TestDocuments(t *testing.T) {
	a := deploy(t)
	a.Description, a.DefinitionOfDone, a.ReadOnly = "<it>", "läuft ✓", true
	document, err := domain.EncodeAction(a)
	check(t, err)
	read := domain.Action{Name: a.Name, State: a.State} // the columns
	check(t, domain.DecodeAction(document, &read))
	if !reflect.DeepEqual(read, a) {
		t.Errorf("got %+v from %s, want %+v", read, document, a)
	}

	name := domain.Name{Namespace: "local", Base: "p"}
	p := domain.Plan{
		ID: "p", Attempt: 2, Name: name, Description: "d", DefinitionOfDone: "done", Profile: "auto",
		Arguments: map[string]string{"a": "1"}, Projects: []domain.ProjectLink{{Name: name, Alias: "it", ReadOnly: true}},
		Applied: 3, SandboxRefs: []string{"s"}, DecisionRootID: "r",
		ErrorMessage: "e", ErrorDetails: map[string]string{"b": "2"}, LastCompletedStep: 4, FinishedAt: now,
		Reversions: []domain.Reversion{{
			From:   domain.Position{Phase: domain.PhaseApply, State: domain.StateErrored},
			To:     domain.Position{Phase: domain.PhaseStrategize, State: domain.StateQueued},
			Reason: "why", At: now,
		}},
	}
	document, err = domain.EncodePlan(p)
	check(t, err)
	again := domain.Plan{ID: "p"}
	check(t, domain.DecodePlan(document, &again))
	if !reflect.DeepEqual(again, p) {
		t.Errorf("got %+v from %s, want %+v", again, document, p)
	}
	document, err = domain.EncodePlan(domain.Plan{Attempt: 1, Name: name})
	if want := `{"attempt":1,"name":"local/p"}`; err != nil || document != want {
		t.Errorf("got %s, %v, want %s for an empty value", document, err, want)
	}
}

func TestBadDocuments(t *testing.T) {
	bad := domain.Action{Arguments: []domain.Argument{{Min: number(math.NaN())}}}
	if _, err := domain.EncodeAction(bad); err == nil {
		t.Error("got no error for a number that JSON cannot have, want one")
	}
	for _, document := range []string{"{", `{"name":"a b","actors":1}`} {
		for _, err := range []error{domain.DecodeAction(document, &domain.Action{}), domain.DecodePlan(document, &domain.Plan{})} {
			if err == nil || !strings.Contains(err.Error(), "bad document") {
				t.Errorf("%s: got %v, want a bad document", document, err)
			}
		}
	}
}
