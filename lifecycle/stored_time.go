package lifecycle

import (
	"fmt"
	"time"
)

// storedTime returns a time as every store keeps it: UTC, to the microsecond. It
// refuses those outside of the years from first to 9999, which is as far as the
// documents of a database go.
func storedTime(field string, t time.Time, first int) (time.Time, error) {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Year() < first || t.Year() > 9999 {
		return time.Time{}, invalid(field, t.String(), fmt.Sprintf("is not in the years %d to 9999", first))
	}
	return t, nil
}

// now returns the time of the service's clock. Identifiers have no room for one
// before 1970.
func (s *Service) now() (time.Time, error) { return storedTime("clock", s.clock(), 1970) }
