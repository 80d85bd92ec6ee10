package subplans

import (
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

// children checks the subplans and returns them with their dependencies resolved.
func (c *Config) children(list []Subplan) ([]*child, error) {
	var all []*child
	byName := make(map[lifecycle.Name]*child)
	for i, s := range list {
		field := fmt.Sprintf("subplans[%d]", i)
		name, err := lifecycle.ParseName(s.Name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("subplans: %s: %w", field, err)
		case byName[name] != nil:
			return nil, check.Invalid(field+".name", s.Name, "is given twice")
		case c.Mode != ByDependencies && len(s.After) > 0:
			return nil, check.Invalid(field+".after", fmt.Sprint(s.After), "means nothing to the mode "+string(c.Mode))
		}
		byName[name] = &child{Subplan: s, name: name, state: Queued}
		all = append(all, byName[name])
	}
	for _, x := range all {
		if err := x.resolve(byName, list); err != nil {
			return nil, err
		}
	}
	return all, acyclic(all)
}

// resolve finds the subplans that x depends on.
func (x *child) resolve(byName map[lifecycle.Name]*child, list []Subplan) error {
	for _, text := range x.After {
		name, err := lifecycle.ParseName(text)
		needed := byName[name]
		if err != nil || needed == nil {
			unknown := &UnknownError{Subplan: x.Name, Got: text}
			for _, s := range list {
				unknown.Want = append(unknown.Want, s.Name)
			}
			return unknown
		}
		x.after = append(x.after, needed)
	}
	return nil
}

// acyclic returns a CycleError if some subplans depend on one another.
func acyclic(all []*child) error {
	const begun, ended = 1, 2
	visited := make(map[*child]int)
	var path []*child
	var visit func(x *child) error
	visit = func(x *child) error {
		switch visited[x] {
		case begun:
			return cycle(path, x)
		case ended:
			return nil
		}
		visited[x] = begun
		path = append(path, x)
		for _, needed := range x.after {
			if err := visit(needed); err != nil {
				return err
			}
		}
		path = path[:len(path)-1]
		visited[x] = ended
		return nil
	}
	for _, x := range all {
		if err := visit(x); err != nil {
			return err
		}
	}
	return nil
}

// cycle returns the error for a path that leads back to x.
func cycle(path []*child, x *child) error {
	e := &CycleError{}
	for _, on := range path {
		if on == x || len(e.Path) > 0 {
			e.Path = append(e.Path, on.Name)
		}
	}
	e.Path = append(e.Path, x.Name)
	return e
}
