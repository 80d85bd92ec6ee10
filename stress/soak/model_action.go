package soak

// actionState is the state of an action in the sequential model. It is comparable.
type actionState struct {
	label    string // of the operation that created it; empty if there is no action
	once     bool
	archived bool
	uses     int64
	turn     int // of the last use that was pending

	over bool // everything that has returned is done; pending operations have no effect any more
}

// actionModel is the sequential model of an action, with what is known of its end.
type actionModel struct {
	end      actionView // zero if the action is not there
	archived bool       // some call was told that it has archived it
}

// hear registers the answer of an operation. All answers are registered before the first step.
func (m *actionModel) hear(o *operation) {
	m.archived = m.archived || o.Kind == ArchiveAction && o.answer.Outcome == OK
}

// step returns whether an operation can come next in a state, and the state after it. See [planModel.step]. Uses that
// were pending come in the order of their calls: they have the same effect and all return when everything is settled, so
// two of them in the other order can be exchanged. A search through all their orders takes twice as long with each.
func (m *actionModel) step(s actionState, o *operation) (bool, actionState) {
	if o.turn > 0 && o.turn != s.turn+1 {
		return false, s
	}
	next, outcome := applyAction(s, o)
	switch {
	case o.answer.Outcome.pending() && s.over:
		return true, s
	case o.answer.Outcome.pending():
		mine := o.Kind == CreateAction && m.end.Label == o.label() || o.Kind == ArchiveAction && !m.archived
		return outcome == OK && mine, next
	case outcome != o.answer.Outcome:
		return false, s
	case outcome == Archived:
		return o.answer.Uses == s.uses, s
	case o.answer.Action != nil:
		return *o.answer.Action == viewOf(o.Subject, next), next
	}
	return true, next
}

func viewOf(name string, s actionState) actionView {
	return actionView{Name: name, Label: s.label, Archived: s.archived, Once: s.once, Uses: s.uses}
}

// applyAction returns the effect and the outcome of an operation.
func applyAction(s actionState, o *operation) (actionState, Outcome) {
	switch {
	case o.Kind == CreateAction && s.label != "":
		return s, AlreadyExists
	case o.Kind == CreateAction:
		return actionState{label: o.label(), once: o.Once}, OK
	case s.label == "":
		return s, NotFound
	case s.archived && o.Kind != GetAction:
		return s, Archived
	}
	next := s
	switch o.Kind {
	case ArchiveAction:
		next.archived = true
	case UseAction:
		next.uses, next.archived, next.turn = s.uses+1, s.once, max(s.turn, o.turn)
	}
	return next, OK
}
