package steps

import (
	"context"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// theHolder is the name of every worker that claims a plan: only the fence tells two
// of them apart.
const theHolder = "the weaver"

// claims are the claims that callers had last.
type claims struct {
	*service

	mu   sync.Mutex
	last map[string]lifecycle.Claim // by caller; written and read under mu
}

// enterClaims adds what a worker does about a plan that it has for itself.
func (s *service) enterClaims(w *world) {
	c := &claims{service: s, last: make(map[string]lifecycle.Claim)}
	w.calls["claim the plan"] = func(ctx context.Context, by asker) answer {
		return c.note(by)(s.of(by).Claim(ctx, s.planned(by), theHolder, 0))
	}
	w.calls["keep the plan"] = func(ctx context.Context, by asker) answer {
		return c.note(by)(s.of(by).Renew(ctx, c.mine(by), 0))
	}
	w.calls["give the plan back"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.of(by).Release(ctx, c.mine(by))}
	}
	w.calls["bring the plan home"] = func(ctx context.Context, by asker) answer {
		a := answer{ids: []string{}}
		_, a.err = s.of(by).ExecutionContext(s.planned(by)).Apply(ctx, func(_ context.Context, change lifecycle.Change) error {
			a.ids = append(a.ids, change.Path)
			return nil
		})
		return a
	}
}

// note remembers a claim that a caller has got.
func (c *claims) note(by asker) func(lifecycle.Claim, error) answer {
	return func(claim lifecycle.Claim, err error) answer {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.last[by.by] = claim
		}
		return answer{err: err}
	}
}

// mine is the claim that a caller had last. Without one it is a claim that nobody has.
func (c *claims) mine(by asker) lifecycle.Claim {
	c.mu.Lock()
	defer c.mu.Unlock()
	if claim, ok := c.last[by.by]; ok {
		return claim
	}
	return lifecycle.Claim{PlanID: c.planned(by), Holder: theHolder, Fence: 1 << 40}
}
