package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// The documents hold what a database stores of an action or a plan beside the columns. They are
// separate types so that renaming a field of the Go API does not change the stored form.

type actionDocument struct {
	Description      string             `json:"description,omitempty"`
	DefinitionOfDone string             `json:"definition_of_done,omitempty"`
	Actors           actorsDocument     `json:"actors"`
	Arguments        []argumentDocument `json:"arguments,omitempty"`
	Reusable         bool               `json:"reusable,omitempty"`
	ReadOnly         bool               `json:"read_only,omitempty"`
}

type actorsDocument struct {
	Strategy   string `json:"strategy"`
	Execution  string `json:"execution"`
	Estimation string `json:"estimation,omitempty"`
	Review     string `json:"review,omitempty"`
	Apply      string `json:"apply,omitempty"`
	Invariant  string `json:"invariant,omitempty"`
}

type argumentDocument struct {
	Name        string       `json:"name"`
	Type        ArgumentType `json:"type"`
	Required    bool         `json:"required,omitempty"`
	Description string       `json:"description,omitempty"`
	Default     string       `json:"default,omitempty"`
	Min         *float64     `json:"min,omitempty"`
	Max         *float64     `json:"max,omitempty"`
	Pattern     string       `json:"pattern,omitempty"`
	Position    int          `json:"position"`
}

type planDocument struct {
	Attempt           int                   `json:"attempt"`
	Name              Name                  `json:"name"`
	Description       string                `json:"description,omitempty"`
	DefinitionOfDone  string                `json:"definition_of_done,omitempty"`
	Profile           string                `json:"profile,omitempty"`
	Arguments         map[string]string     `json:"arguments,omitempty"`
	Projects          []projectLinkDocument `json:"projects,omitempty"`
	Applied           int                   `json:"applied,omitempty"`
	SandboxRefs       []string              `json:"sandbox_refs,omitempty"`
	DecisionRootID    string                `json:"decision_root_id,omitempty"`
	ErrorMessage      string                `json:"error_message,omitempty"`
	ErrorDetails      map[string]string     `json:"error_details,omitempty"`
	LastCompletedStep int                   `json:"last_completed_step,omitempty"`
	Reversions        []reversionDocument   `json:"reversions,omitempty"`
	FinishedAt        time.Time             `json:"finished_at,omitzero"`
}

type projectLinkDocument struct {
	Name     Name   `json:"name"`
	Alias    string `json:"alias,omitempty"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

type reversionDocument struct {
	FromPhase Phase     `json:"from_phase"`
	FromState State     `json:"from_state"`
	ToPhase   Phase     `json:"to_phase"`
	ToState   State     `json:"to_state"`
	Reason    string    `json:"reason,omitempty"`
	At        time.Time `json:"at"`
}

// EncodeAction returns the document of an action.
func EncodeAction(a Action) (string, error) {
	return encode(actionDocument{
		Description:      a.Description,
		DefinitionOfDone: a.DefinitionOfDone,
		Actors:           actorsDocument(a.Actors),
		Arguments:        Convert(a.Arguments, func(x Argument) argumentDocument { return argumentDocument(x) }),
		Reusable:         a.Reusable,
		ReadOnly:         a.ReadOnly,
	})
}

// DecodeAction sets the fields that an action's document holds.
func DecodeAction(document string, a *Action) error {
	var d actionDocument
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		return fmt.Errorf("lifecycle: action %q: bad document: %w", a.Name, err)
	}
	a.Description, a.DefinitionOfDone = d.Description, d.DefinitionOfDone
	a.Actors = Actors(d.Actors)
	a.Arguments = Convert(d.Arguments, func(x argumentDocument) Argument { return Argument(x) })
	a.Reusable, a.ReadOnly = d.Reusable, d.ReadOnly
	return nil
}

// EncodePlan returns the document of a plan.
func EncodePlan(p Plan) (string, error) {
	return encode(planDocument{
		Attempt:           p.Attempt,
		Name:              p.Name,
		Description:       p.Description,
		DefinitionOfDone:  p.DefinitionOfDone,
		Profile:           p.Profile,
		Arguments:         p.Arguments,
		Projects:          Convert(p.Projects, func(x ProjectLink) projectLinkDocument { return projectLinkDocument(x) }),
		Applied:           p.Applied,
		SandboxRefs:       p.SandboxRefs,
		DecisionRootID:    p.DecisionRootID,
		ErrorMessage:      p.ErrorMessage,
		ErrorDetails:      p.ErrorDetails,
		LastCompletedStep: p.LastCompletedStep,
		Reversions: Convert(p.Reversions, func(x Reversion) reversionDocument {
			return reversionDocument{x.From.Phase, x.From.State, x.To.Phase, x.To.State, x.Reason, x.At}
		}),
		FinishedAt: p.FinishedAt,
	})
}

// DecodePlan sets the fields that a plan's document holds.
func DecodePlan(document string, p *Plan) error {
	var d planDocument
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		return fmt.Errorf("lifecycle: plan %s: bad document: %w", p.ID, err)
	}
	p.Attempt, p.Name = d.Attempt, d.Name
	p.Description, p.DefinitionOfDone, p.Profile = d.Description, d.DefinitionOfDone, d.Profile
	p.Arguments = d.Arguments
	p.Projects = Convert(d.Projects, func(x projectLinkDocument) ProjectLink { return ProjectLink(x) })
	p.Applied, p.SandboxRefs, p.DecisionRootID = d.Applied, d.SandboxRefs, d.DecisionRootID
	p.ErrorMessage, p.ErrorDetails = d.ErrorMessage, d.ErrorDetails
	p.LastCompletedStep = d.LastCompletedStep
	p.Reversions = Convert(d.Reversions, func(x reversionDocument) Reversion {
		return Reversion{
			From: Position{Phase: x.FromPhase, State: x.FromState}, To: Position{Phase: x.ToPhase, State: x.ToState}, Reason: x.Reason, At: x.At,
		}
	})
	p.FinishedAt = d.FinishedAt
	return nil
}

func encode(document any) (string, error) {
	data, err := json.Marshal(document)
	if err != nil {
		return "", fmt.Errorf("lifecycle: encode: %w", err)
	}
	return string(data), nil
}

// Convert maps a slice; an empty one becomes nil.
func Convert[A, B any](from []A, f func(A) B) []B {
	if len(from) == 0 {
		return nil
	}
	to := make([]B, len(from))
	for i, x := range from {
		to[i] = f(x)
	}
	return to
}
