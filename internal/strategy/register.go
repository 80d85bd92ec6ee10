package strategy

import (
	"encoding/gob"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// RegisterSchedules registers the schedule types with gob, for sending them to workers.
func RegisterSchedules() {
	for _, s := range []schedule.Schedule{walk{}, priorities{}, partialOrder{}, counted{}, branch{}} {
		gob.Register(s)
	}
}
