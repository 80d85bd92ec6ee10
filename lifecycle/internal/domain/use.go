package domain

// UseOptions describes the plan that a use of an action makes. The zero value makes a root plan
// with the action's own name and no arguments.
type UseOptions struct {
	Name        string            // of the plan, see [ParseName]; empty for the action's
	Description string            // of the plan; empty for the action's
	ParentID    string            // the plan that makes this one; empty for a root
	Profile     string            // the automation profile; fixed
	Arguments   map[string]string // values by the name of the argument
	Projects    []ProjectLink     // the projects that the plan works on
}

// NewPlan returns the plan that using an action makes, except for the fields that only the service
// can set.
func NewPlan(a Action, opts UseOptions) (Plan, error) {
	p := Plan{
		ParentID: opts.ParentID, Attempt: 1,
		Name: a.Name, Action: a.Name,
		Description: a.Description, DefinitionOfDone: a.DefinitionOfDone,
		Profile:  opts.Profile,
		Projects: append([]ProjectLink(nil), opts.Projects...),
		Phase:    PhaseStrategize, State: StateQueued, Version: 1,
	}
	if opts.Description != "" {
		p.Description = opts.Description
	}
	if err := CheckSize("plan", opts.size()); err != nil {
		return Plan{}, err
	}
	err := checkTexts(text{"parent", opts.ParentID}, text{"profile", opts.Profile}, text{"description", opts.Description})
	if err != nil {
		return Plan{}, err
	}
	if opts.Name != "" {
		if p.Name, err = ParseName(opts.Name); err != nil {
			return Plan{}, err
		}
	}
	if err := checkProjects(p.Projects); err != nil {
		return Plan{}, err
	}
	p.Arguments, err = argumentValues(a.Arguments, opts.Arguments)
	return p, err
}
