package stress

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/canary"
)

// Row is a race with what is run for it: its body in every column, and the crowds for ours.
type Row struct {
	Race   races.Race
	Crowds []Crowd
}

// Rows returns R1 to R7 of the catalogue, with the crowds of each. The neighbours have no crowds, and are the explorer's.
func Rows() []Row {
	crowds := map[string][]Crowd{
		"R1": engineCrowds(),
		"R2": creatorCrowds(),
		"R3": listingCrowds(),
		"R4": starterCrowds(),
		"R5": finisherCrowds(),
		"R6": readerCrowds(),
		"R7": applierCrowds(),
	}
	var rows []Row
	for _, race := range races.All() {
		if !race.Neighbour() {
			rows = append(rows, Row{Race: race, Crowds: crowds[race.ID]})
		}
	}
	return rows
}

// canaryPrefix begins the subject of a planted program.
const canaryPrefix = "canary/"

// find returns what a job is about: a body, or a crowd.
func find(rows []Row, j job) (races.Body, *Crowd, error) {
	if name, ok := strings.CutPrefix(j.Subject, canaryPrefix); ok {
		for _, c := range canary.All() {
			if c.Name == name && j.Campaign == BodyCampaign {
				return c.Body, nil, nil
			}
		}
	}
	for _, row := range rows {
		for _, cell := range row.Race.Cells {
			if cell.ID != j.Subject {
				continue
			}
			if j.Campaign == BodyCampaign {
				return cell.Body, nil, nil
			}
			for i := range row.Crowds {
				if row.Crowds[i].Name == j.Campaign && cell.Column == races.Ours {
					return nil, &row.Crowds[i], nil
				}
			}
		}
	}
	return nil, nil, fmt.Errorf("stress: %w: got subject %q, campaign %q", races.ErrUnknown, j.Subject, j.Campaign)
}
