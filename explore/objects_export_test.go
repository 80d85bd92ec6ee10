package explore

import "context"

// Objects runs body once by default and returns what each step was on, as
// reports name it.
func Objects(cfg Config, body func(*T)) (names []string, err error) {
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	ex := x.execute(defaultPick{}, 1, nil)
	for _, s := range ex.trail {
		text := ""
		for i := range s.Operation.accesses() {
			if a := s.Operation.access(i); a.Object != harnessObject {
				text += ex.objects.of(Operation{Object: a.Object}).String() + []string{"!", "?", "-"}[a.Mode]
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
