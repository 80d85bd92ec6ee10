package strategy

import (
	"encoding/gob"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// RegisterSchedules lets schedules travel.
func RegisterSchedules() {
	for _, s := range []schedule.Schedule{walk{}, priorities{}, partialOrder{}, counted{}, branch{}} {
		gob.Register(s)
	}
}
