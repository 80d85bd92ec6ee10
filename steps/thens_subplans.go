package steps

import "slices"

// noted checks that as many failures are kept as were noted.
func (s *scene) noted([]string) error {
	kept, err := s.count("failures")
	if err != nil {
		return err
	}
	noted := 0
	for _, a := range s.writes() {
		if a.err == nil {
			noted++
		}
	}
	if kept != noted {
		return violated("%d were noted, and the plan tells of %d", noted, kept)
	}
	return nil
}

// merged checks that the results of the runs agree with their subplans.
func (s *scene) merged([]string) error {
	if _, err := s.count("subplans"); err != nil {
		return err
	}
	for _, a := range s.writes() {
		switch {
		case a.err != nil:
			return violated("%s got %v", a.by, a.err)
		case a.text != "":
			return violated("%s", a.text)
		}
	}
	return nil
}

// partsMerged checks that the changes of each plan's parts are merged in the order in which the
// parts were given, and none of another plan's.
func (s *scene) partsMerged([]string) error {
	for _, a := range s.answers(func(verb string) bool { return verb == "run the plan's parts" }) {
		if want := partPaths(a.id); a.err != nil || !slices.Equal(a.ids, want) {
			return violated("%s merged %q, %v, and the parts have changed %q", a.by, a.ids, a.err, want)
		}
	}
	return nil
}
