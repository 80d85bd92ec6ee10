package stress

import (
	"context"

	"github.com/jacquard-go/jacquard/races"
)

// held is the outcome of a round in which nothing failed.
const held = "what must hold, holds"

// runBody runs a race's body round after round.
func runBody(ctx context.Context, t *trial, body races.Body) {
	t.lanes(ctx, t.deadline, func(h *handle) (Outcome, error) {
		err := h.run(body)
		if len(h.failures) > 0 {
			return Outcome{What: classOf(h.failures[0]), Grade: Forbidden, Means: h.failures[0], Count: 1}, err
		}
		return Outcome{What: held, Grade: Acceptable, Count: 1}, err
	})
	t.sum("rounds that were judged", t.ended.Load(), t.progress.rounds.Load())
}
