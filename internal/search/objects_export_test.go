package search

import (
	"context"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Objects runs body once by the default schedule. It returns the object of each step, named
// as in reports.
func Objects(cfg Config, body func(*engine.T)) (names []string, err error) {
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	ex := x.Execute(schedule.DefaultPick{}, 1, nil)
	for _, s := range ex.Trail {
		text := ""
		for i := range s.Operation.Accesses() {
			if a := s.Operation.Access(i); a.Object > schedule.WaitObject {
				text += ex.Objects.Of(schedule.Operation{Object: a.Object}).String() + []string{"!", "?", "-", "+", ".", ">", "<", "(", ")", "r", "u", "e"}[a.Mode]
			}
		}
		if s.Operation.All {
			text = "*"
		}
		if text != "" {
			names = append(names, text)
		}
	}
	return names, nil
}
