package stress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/canary"
)

// Row is a race with its campaigns: its body in every column, and the workloads and litmus tests for ours. A row that has
// only litmus tests has a race without cells.
type Row struct {
	Race      races.Race
	Workloads []Workload
	Litmus    []Litmus
}

// Rows returns the catalogue, with the workloads of R1 to R7, and then the litmus tests of the service and of the cache.
func Rows() []Row {
	workloads := map[string][]Workload{
		"R1": engineWorkloads(),
		"R2": creatorWorkloads(),
		"R3": listingWorkloads(),
		"R4": starterWorkloads(),
		"R5": finisherWorkloads(),
		"R6": readerWorkloads(),
		"R7": applierWorkloads(),
	}
	var rows []Row
	for _, race := range races.All() {
		rows = append(rows, Row{Race: race, Workloads: workloads[race.ID]})
	}
	return append(rows,
		Row{Race: races.Race{ID: "LS", Title: "litmus tests of the service"}, Litmus: slices.Concat(serviceLitmus(), eventLitmus())},
		Row{Race: races.Race{ID: "LC", Title: "litmus tests of the cache"}, Litmus: cacheLitmus()},
	)
}

// ours returns the subject of a row's campaigns against package lifecycle and the cache.
func (r Row) ours() string { return r.Race.ID + "/" + string(races.Ours) }

// canaryPrefix begins the subject of a canary, a program with a planted bug.
const canaryPrefix = "canary/"

// A campaign runs a job.
type campaign func(context.Context, *trial)

// find returns the campaign of a job: a body, a workload or litmus tests.
func find(rows []Row, j job) (campaign, error) {
	if name, ok := strings.CutPrefix(j.Subject, canaryPrefix); ok {
		for _, c := range canary.All() {
			if c.Name == name && j.Campaign == BodyCampaign {
				return body(c.Body), nil
			}
		}
	}
	for _, row := range rows {
		if c := row.find(j); c != nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("stress: %w: got subject %q, campaign %q", races.ErrUnknown, j.Subject, j.Campaign)
}

// find returns the campaign of a job, or nil if it is not in this row.
func (r Row) find(j job) campaign {
	for _, cell := range r.Race.Cells {
		if cell.ID == j.Subject && j.Campaign == BodyCampaign {
			return body(cell.Body)
		}
	}
	if r.ours() != j.Subject {
		return nil
	}
	if j.Campaign == LitmusCampaign && len(r.Litmus) > 0 {
		return func(ctx context.Context, t *trial) { runLitmus(ctx, t, r.Litmus) }
	}
	for _, c := range r.Workloads {
		if c.Name == j.Campaign {
			return func(ctx context.Context, t *trial) { runWorkload(ctx, t, c) }
		}
	}
	return nil
}

func body(b races.Body) campaign {
	return func(ctx context.Context, t *trial) { runBody(ctx, t, b) }
}
