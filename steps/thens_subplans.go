package steps

// noted wants as many failures to be kept as were noted.
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

// merged wants nothing to be wrong with what a run says of its subplans.
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
