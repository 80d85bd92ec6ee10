package source_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// An operation is the nearer to a logged stack, the more frames agree.
func TestNear(t *testing.T) {
	stack := "bank.Put bank.go:18\nbank.Test bank_test.go:9"
	for _, c := range []struct {
		name    string
		targets []string
		stack   []string
		want    schedule.Nearness
		which   uint8
	}{
		{"the whole stack", []string{stack}, []string{"sync.Lock mutex.go:9", "bank.Put bank.go:18", "bank.Test bank_test.go:9"}, schedule.ExactStack, 0},
		{"another caller", []string{stack}, []string{"bank.Put bank.go:18", "bank.Test bank_test.go:10"}, schedule.ExactLine, 0},
		{"a line above", []string{stack}, []string{"bank.Put bank.go:17", "bank.Test bank_test.go:9"}, schedule.SameCallers, 0},
		{"a line that has moved", []string{stack}, []string{"bank.Put bank.go:30", "bank.Test bank_test.go:9"}, schedule.SameFunction, 0},
		{"below the line", []string{"bank.go:18"}, []string{"bank.Put bank.go:19"}, schedule.Elsewhere, 0},
		{"what is called there", []string{"bank.go:18"}, []string{"bank.get bank.go:40", "bank.Put bank.go:15"}, schedule.SameLine, 0},
		{"the nearer of two", []string{"bank.Put", "bank.go:18"}, []string{"bank.Put bank.go:18"}, schedule.ExactLine, 1},
	} {
		if got, which := source.Near(c.targets, c.stack...); got != c.want || which != c.which {
			t.Errorf("%s: got nearness %d of target %d, want %d of %d", c.name, got, which, c.want, c.which)
		}
	}
}
