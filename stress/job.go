package stress

import "time"

// A job is what a child has to run: one line of JSON. The answer is a [Result], also one line.
type job struct {
	Subject    string        `json:"subject"`
	Campaign   string        `json:"campaign"`
	Time       time.Duration `json:"time"`  // nanoseconds
	Stall      time.Duration `json:"stall"` // nanoseconds
	Seed       uint64        `json:"seed"`
	Dir        string        `json:"dir"` // the job's own folder, which its creator removes
	StopAtRace bool          `json:"stop_at_race,omitempty"`

	again bool // after a crash, for what is left of the time
}

// The names of files in a job's folder. They can be read after the child has died.
const (
	progressName = "progress" // see progressFile
	raceLogName  = "race"     // the race detector adds a dot and the process's id
)
