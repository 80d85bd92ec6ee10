package steps

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/races"
)

// Play runs a script once with t. It is under control only if t is.
func Play(ctx context.Context, t races.T, s Script) error {
	p, err := compile(s)
	if err != nil {
		return err
	}
	prepared, err := p.prepared(ctx)
	if err != nil {
		return err
	}
	return p.play(t, prepared)
}

// Kills reports whether a script needs processes.
func Kills(s Script) bool {
	p, err := compile(s)
	return err == nil && p.kills()
}

// ScriptOf is the script of a scenario.
var ScriptOf = scriptOf

// Says returns the examples of all steps of a kind.
func Says(kind string) (all []string) {
	for _, d := range definitions() {
		if d.kind == kind {
			all = append(all, d.says)
		}
	}
	return all
}

// Acts describes what a When step parses to.
func Acts(text string) string {
	p := &plot{instances: 2}
	if err := p.happen(text); err != nil {
		return err.Error()
	}
	words := ""
	for _, a := range p.acts {
		words += fmt.Sprintf("%v %v after %t serial %t killed %t\n", a.callers, a.calls, a.after, a.serial, a.killed)
	}
	return words
}

// PlayWithProcesses runs a script once with real processes.
func PlayWithProcesses(ctx context.Context, s Script) (Outcome, error) {
	p, err := compile(s)
	if err != nil {
		return Outcome{}, err
	}
	prepared, err := p.prepared(ctx)
	if err != nil {
		return Outcome{}, err
	}
	return p.killing(ctx, s, prepared)
}
