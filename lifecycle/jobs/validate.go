package jobs

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/check"
)

func tooLarge(field string, size int) error {
	return check.Invalid(field, fmt.Sprint(size, " bytes"), fmt.Sprintf("is too large; want at most %d bytes", lifecycle.MaxText))
}

func checkName(field, name string) error { return check.Name(field, name, MaxName) }

func checkLease(lease time.Duration) (time.Duration, error) {
	return check.Lasting("lease", lease, DefaultLease, ShortestLease, LongestLease)
}

func (s Spec) check() error {
	switch {
	case s.Attempts < 1 || s.Attempts > MostAttempts:
		return check.Invalid("attempts", fmt.Sprint(s.Attempts), fmt.Sprintf("is not from 1 to %d", MostAttempts))
	case s.Delay < 0 || s.Delay > LongestDelay:
		return check.Invalid("delay", s.Delay.String(), fmt.Sprintf("is not from 0 to %v", LongestDelay))
	case len(s.Payload) > lifecycle.MaxText:
		return tooLarge("payload", len(s.Payload))
	}
	return checkName("kind", s.Kind)
}

func isInvalid(err error) bool { return errors.Is(err, lifecycle.ErrInvalid) }
