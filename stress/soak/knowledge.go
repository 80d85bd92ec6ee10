package soak

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// knowledge is what a process knows from the board and from the answers of its service. It decides only which calls are made next, so it
// may be out of date.
//
// It is safe for concurrent use.
type knowledge struct {
	board *board
	few   int // how many plans are worked on at a time

	mu      sync.Mutex
	plans   map[string]planView // the latest view of each; guarded by mu
	open    []string            // the newest few plans that are not known to be finished, oldest first; guarded by mu
	over    []string            // the last few finished plans; guarded by mu
	owned   []string            // the newest few plans for owners, oldest first; guarded by mu
	parents []string            // the newest few plans with subplans that are not known to be done, oldest first; guarded by mu
	actions []string            // by number; guarded by mu
	closed  map[string]bool     // actions that are archived; guarded by mu
	uses    map[string]int64    // guarded by mu
}

func newKnowledge(b *board, few int) *knowledge {
	return &knowledge{
		board: b, few: few,
		plans: make(map[string]planView), closed: make(map[string]bool), uses: make(map[string]int64),
	}
}

// The kinds of line on the board.
const (
	planPosted   = "plan"
	actionPosted = "action"
	ownedPosted  = "owned"
	parentPosted = "parent"
)

// look reads the board. The caller holds mu.
func (k *knowledge) look() {
	k.board.news(func(kind, name string) {
		switch kind {
		case planPosted:
			k.add(name)
		case actionPosted:
			k.addAction(name)
		case ownedPosted:
			k.addOwned(name)
		case parentPosted:
			k.parents = append(k.parents, name)
			k.parents = k.parents[max(0, len(k.parents)-parentPlans):]
		}
	})
}

// ownedAction is the action of the plans that owners claim.
const ownedAction = "soak/owned"

// ownedPlans is how many of these plans are worked on at a time.
const ownedPlans = 2

// addOwned adds a plan for owners. The caller holds mu.
func (k *knowledge) addOwned(id string) {
	if _, known := k.plans[id]; known {
		return
	}
	k.plans[id] = planView{ID: id}
	k.owned = append(k.owned, id)
	k.owned = k.owned[max(0, len(k.owned)-ownedPlans):]
}

// ownedPlan returns a plan for owners, or false if there are too few.
func (k *knowledge) ownedPlan(rng *rand.Rand) (planView, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	if len(k.owned) < ownedPlans {
		return planView{}, false
	}
	return k.plans[k.owned[rng.IntN(len(k.owned))]], true
}

// parentPlans is how many plans with subplans are worked on at a time.
const parentPlans = 2

// parent returns a plan with subplans that is not known to be done, or false if a new one is to be made.
func (k *knowledge) parent(rng *rand.Rand) (id string, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	if len(k.parents) < parentPlans && rng.IntN(4) == 0 || len(k.parents) == 0 {
		return "", false
	}
	return k.parents[rng.IntN(len(k.parents))], true
}

// forgetOwned removes a finished plan.
func (k *knowledge) forgetOwned(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.owned = slices.DeleteFunc(k.owned, func(o string) bool { return o == id })
}

// add adds a plan. The plan that it displaces is most likely finished, in an earlier life of this process. The caller
// holds mu.
func (k *knowledge) add(id string) {
	if _, known := k.plans[id]; known {
		return
	}
	k.plans[id] = planView{ID: id}
	k.open = append(k.open, id)
	k.open = k.open[max(0, len(k.open)-k.few):]
}

// actionPrefix begins the names of all actions. A number follows.
const actionPrefix = "soak/action-"

func actionName(n int) string { return actionPrefix + strconv.Itoa(n) }

// addAction adds an action and all that have lower numbers, which may not exist. The caller holds mu.
func (k *knowledge) addAction(name string) {
	n, err := strconv.Atoi(strings.TrimPrefix(name, actionPrefix))
	if err != nil {
		return
	}
	for len(k.actions) <= n {
		k.actions = append(k.actions, actionName(len(k.actions)))
	}
}

// learn updates the knowledge with the answer of a call.
func (k *knowledge) learn(c call, a answer) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range a.Plans {
		k.see(p)
	}
	for _, s := range a.Actions {
		k.seeAction(s)
	}
	if a.Plan != nil {
		k.see(*a.Plan)
	}
	if a.Action != nil {
		k.seeAction(*a.Action)
	}
	if p, known := k.plans[c.Subject]; known && c.Kind == StartChangeset && a.Outcome == OK {
		p.Changeset = a.ID
		k.plans[c.Subject] = p
	}
	switch {
	case c.Kind == MakeParent && a.Outcome == OK:
		return k.board.post(parentPosted, a.ID)
	case c.Kind == RunSubplans && a.Outcome == OK:
		k.parents = slices.DeleteFunc(k.parents, func(id string) bool { return id == c.Subject })
	case a.Outcome == Archived:
		k.closed[c.Subject] = true
	case c.Kind == UseAction && a.Outcome == OK && c.Subject == ownedAction:
		return k.board.post(ownedPosted, a.Plan.ID)
	case c.Kind == UseAction && a.Outcome == OK:
		return k.board.post(planPosted, a.Plan.ID)
	case c.Kind == CreateAction && a.Outcome == OK:
		return k.board.post(actionPosted, c.Subject)
	}
	return nil
}

// see updates the knowledge with a view of a plan. The caller holds mu.
func (k *knowledge) see(p planView) {
	over := position(p.At).State.Terminal()
	if p.Action == ownedAction {
		k.addOwned(p.ID)
		k.owned = slices.DeleteFunc(k.owned, func(id string) bool { return over && id == p.ID })
	} else if !over {
		k.add(p.ID)
	}
	if p.Version < k.plans[p.ID].Version {
		return
	}
	k.plans[p.ID] = p
	if i := slices.Index(k.open, p.ID); over && i >= 0 {
		k.open = slices.Delete(k.open, i, i+1)
		k.over = append(k.over, p.ID)
		k.over = k.over[max(0, len(k.over)-8):]
	}
}

// seeAction updates the knowledge with a view of an action. The caller holds mu.
func (k *knowledge) seeAction(a actionView) {
	k.addAction(a.Name)
	k.closed[a.Name] = k.closed[a.Name] || a.Archived
	k.uses[a.Name] = max(k.uses[a.Name], a.Uses)
}

// plan returns a plan to work on, with its latest view. In one case of twenty it is a finished one.
func (k *knowledge) plan(rng *rand.Rand) (planView, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	from := k.open
	if len(k.over) > 0 && rng.IntN(20) == 0 {
		from = k.over
	}
	if len(from) == 0 {
		return planView{}, false
	}
	return k.plans[from[rng.IntN(len(from))]], true
}

// wanting reports whether there are too few plans to work on.
func (k *knowledge) wanting() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	return len(k.open) < k.few
}

// size returns how many elements a listing is known to have.
func (k *knowledge) size(listing Kind) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	if listing == ListPlans {
		return len(k.plans)
	}
	return len(k.actions)
}

// action returns one of the newest few actions, or, if usable is set, of those that are not known to be archived.
func (k *knowledge) action(rng *rand.Rand, usable bool) (name string, uses int64, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	var from []string
	for i := len(k.actions) - 1; i >= 0 && len(from) < 4; i-- {
		if !usable || !k.closed[k.actions[i]] {
			from = append(from, k.actions[i])
		}
	}
	if len(from) == 0 {
		return "", 0, false
	}
	name = from[rng.IntN(len(from))]
	return name, k.uses[name], true
}

// nextAction returns the name of the next action to create. Other goroutines may get the same name.
func (k *knowledge) nextAction() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.look()
	return actionName(len(k.actions))
}

// position parses the result of [lifecycle.Position.String].
func position(s string) lifecycle.Position {
	phase, state, _ := strings.Cut(s, "/")
	return lifecycle.Position{Phase: lifecycle.Phase(phase), State: lifecycle.State(state)}
}
