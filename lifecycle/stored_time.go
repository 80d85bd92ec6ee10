package lifecycle

import (
	"fmt"
	"time"
)

// storedTime returns a time as every store keeps it: UTC, to the microsecond. It refuses times
// outside the years from first to 9999, the range that the documents of a database can hold.
func storedTime(field string, t time.Time, first int) (time.Time, error) {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Year() < first || t.Year() > 9999 {
		return time.Time{}, invalid(field, t.String(), fmt.Sprintf("is not in the years %d to 9999", first))
	}
	return t, nil
}

// now returns the time of the service's clock. Identifiers cannot hold a time before 1970.
func (s *Service) now() (time.Time, error) { return storedTime("clock", s.clock(), 1970) }
