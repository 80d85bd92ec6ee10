package stress

import "time"

// A job is what a child is asked to do: one line of JSON. Its answer is a [Result], one line too.
type job struct {
	Subject    string        `json:"subject"`
	Campaign   string        `json:"campaign"`
	Time       time.Duration `json:"time"`  // nanoseconds
	Stall      time.Duration `json:"stall"` // nanoseconds
	Seed       uint64        `json:"seed"`
	Dir        string        `json:"dir"` // a folder of the job's own, which whoever made it removes
	StopAtRace bool          `json:"stop_at_race,omitempty"`

	again bool // after a crash, for what is left of the time
}

// Names of files in the folder of a job. What a child leaves there can be read after it has died.
const (
	progressName = "progress" // see progressFile
	raceLogName  = "race"     // the race detector adds a dot and the process's id
)
