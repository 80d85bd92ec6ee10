package domain

import "fmt"

// MaxText bounds the text of one call, in bytes over all its fields: of an action, a use, a
// transition or a change. A plan that grows through many calls then still fits into every database.
const MaxText = 16 << 20

// perElement is how many bytes an element of a list or a map counts in addition to its texts.
const perElement = 64

// CheckSize refuses more text than MaxText.
func CheckSize(field string, size int) error {
	if size > MaxText {
		return invalid(field, fmt.Sprint(size, " bytes"), fmt.Sprintf("is too much text; want at most %d bytes", MaxText))
	}
	return nil
}

func sizeOf(texts ...string) (size int) {
	for _, s := range texts {
		size += len(s)
	}
	return size
}

func SizeOfMap(m map[string]string) (size int) {
	for key, value := range m {
		size += perElement + len(key) + len(value)
	}
	return size
}

func (spec ActionSpec) size() int {
	a := spec.Actors
	size := sizeOf(spec.Name, spec.Description, spec.DefinitionOfDone,
		a.Strategy, a.Execution, a.Estimation, a.Review, a.Apply, a.Invariant)
	for _, x := range spec.Arguments {
		size += perElement + sizeOf(x.Name, x.Description, x.Default, x.Pattern)
	}
	return size
}

func (o UseOptions) size() int {
	size := sizeOf(o.Name, o.Description, o.ParentID, o.Profile) + SizeOfMap(o.Arguments)
	for _, p := range o.Projects {
		size += perElement + sizeOf(p.Name.Server, p.Name.Namespace, p.Name.Base, p.Alias)
	}
	return size
}

func (r Request) size() int {
	return sizeOf(r.Reason, r.DecisionRootID) + SizeOfMap(r.Details) + sizeOf(r.SandboxRefs...) + perElement*len(r.SandboxRefs)
}

func (e Entry) size() int { return sizeOf(e.Path, e.MovedFrom, e.BeforeHash, e.AfterHash) }
