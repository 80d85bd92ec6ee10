package main

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/junit"
	"github.com/jacquard-go/jacquard/stress"
)

// writeJUnit writes a suite for each race and a case for each campaign of ours.
// Where there were too few rounds to tell, a case is skipped and no pass.
func writeJUnit(path string, r *stress.Report) error {
	var all junit.Suites
	for _, race := range r.Races {
		s := junit.Suite{Name: race.ID + " " + race.Title}
		for _, c := range race.Ours {
			one := junit.Case{Class: c.Subject, Name: c.Campaign, Output: inShort(race)}
			switch {
			case !c.Clean():
				one.Failure = &junit.Text{Message: wrongWith(c)}
			case !race.Enough:
				one.Skipped = &junit.Text{Message: "too few rounds to tell"}
			}
			s.Cases = append(s.Cases, one)
		}
		all.Suites = append(all.Suites, s)
	}
	if err := junit.Write(path, all); err != nil {
		return fmt.Errorf("stress: %w", err)
	}
	return nil
}
