package main

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/page"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

//go:embed assets
var assets embed.FS

// stressDocument is the template of the page.
var stressDocument = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("stress.tmpl").Funcs(template.FuncMap{
		"plural": command.Plural[int], "plural64": command.Plural[int64],
	}).ParseFS(assets, "assets/stress.tmpl"))
})

// A stressView is what the template shows.
type stressView struct {
	*stress.Report
	Style          template.CSS
	StyleSum       string
	Detector, Part string
	Rows           []stressRow
	Nights         []nightRow // the newest first
}

// A stressRow is one race.
type stressRow struct {
	stress.RaceReport
	Cells     []string // of the code as reported and as suggested
	Tone      string
	Short     string
	Explored  []exploredCell
	Campaigns []stressCampaign
}

// An exploredCell is what exploring the same code came to.
type exploredCell struct{ Column, What string }

// A stressCampaign is one campaign, with how fast its rounds came and how to look at it
// again.
type stressCampaign struct {
	stress.Result
	Rate, Points string
	Again        []string
}

// A nightRow is one night of the ledger.
type nightRow struct {
	stress.Night
	Rounds     int64
	Wrong, Met string
}

// stressPage is a report as one HTML page, which needs nothing else and loads nothing.
func stressPage(r *stress.Report, explored machine, nights stress.Nights) ([]byte, error) {
	own, err := assets.ReadFile("assets/stress.css")
	if err != nil {
		return nil, err
	}
	style := page.Style() + string(own)
	v := stressView{Report: r, Style: template.CSS(style), StyleSum: page.Sum(style), Detector: detector(r), Part: partOf(r)}
	for _, race := range r.Races {
		v.Rows = append(v.Rows, newStressRow(r, race, explored))
	}
	for _, n := range slices.Backward(nights) {
		v.Nights = append(v.Nights, newNightRow(n))
	}
	var b bytes.Buffer
	err = stressDocument().Execute(&b, v)
	return b.Bytes(), err
}

func newStressRow(r *stress.Report, race stress.RaceReport, explored machine) stressRow {
	row := stressRow{RaceReport: race, Tone: "warn", Short: inShort(race), Explored: exploredCells(race.ID, explored)}
	switch {
	case !race.Clean:
		row.Tone = "bad"
	case race.Enough:
		row.Tone = "good"
	}
	for _, column := range []races.Column{races.Reported, races.Suggested} {
		row.Cells = append(row.Cells, specimen(race, column)...)
	}
	for _, c := range slices.Concat(race.Ours, race.Specimens) {
		row.Campaigns = append(row.Campaigns, newStressCampaign(r, c))
	}
	return row
}

// exploredCells are those of a race, in the table's order.
func exploredCells(id string, explored machine) (cells []exploredCell) {
	for _, race := range explored.Races {
		for _, column := range races.Columns() {
			if c, ok := race.Cells[string(column)]; ok && race.ID == id {
				cells = append(cells, exploredCell{string(column), c.short()})
			}
		}
	}
	return cells
}

// short says what exploring came to, and in how long.
func (c machineCell) short() string {
	text := fmt.Sprintf("%s after %s", c.Verdict, command.Plural(c.Schedules, "schedule"))
	switch {
	case c.Verdict == "violated":
		text = fmt.Sprintf("violated by schedule %d", c.Schedule)
	case c.Unbounded:
		text = fmt.Sprintf("holds, exhausted, %s", command.Plural(c.Schedules, "execution"))
	case c.Bound != nil:
		text = fmt.Sprintf("holds, exhausted at ≤ %d, %s", *c.Bound, command.Plural(c.Schedules, "schedule"))
	}
	if c.Took > 0 {
		text += fmt.Sprintf(", %.1f s", c.Took)
	}
	return text
}

func newStressCampaign(r *stress.Report, c stress.Result) stressCampaign {
	one := stressCampaign{Result: c}
	one.Rate, one.Points = paced(c.Pace)
	if len(c.Findings) == 0 && c.Symptoms() == 0 {
		return one
	}
	if c.Campaign == stress.BodyCampaign {
		one.Again = append(one.Again, fmt.Sprintf("%s replay %s", invocation, c.Subject))
	}
	detect := ""
	if r.RaceDetector {
		detect = "-race "
	}
	one.Again = append(one.Again, fmt.Sprintf("go run %s./cmd/races stress -run '^%s$' -seed %d", detect, regexp.QuoteMeta(c.Subject+" "+c.Campaign), r.Seed))
	return one
}

// paced says how fast rounds came, and draws it: a point for each time between two looks,
// the fastest at the top of a box of 300 by 40.
func paced(all []stress.Pace) (rate, points string) {
	if len(all) == 0 || all[len(all)-1].Seconds == 0 {
		return "", ""
	}
	end := all[len(all)-1]
	rates, most, last := make([]float64, len(all)), 0.0, stress.Pace{}
	for i, p := range all {
		if p.Seconds > last.Seconds {
			rates[i] = max(0, float64(p.Rounds-last.Rounds)/(p.Seconds-last.Seconds))
		}
		most, last = max(most, rates[i]), p
	}
	rate = fmt.Sprintf("%.0f a second", float64(end.Rounds)/end.Seconds)
	if len(all) < 3 || most == 0 {
		return rate, ""
	}
	var b strings.Builder
	for i, p := range all {
		fmt.Fprintf(&b, "%.1f,%.1f ", 300*p.Seconds/end.Seconds, 39-38*rates[i]/most)
	}
	return rate + fmt.Sprintf(", at most %.0f", most), strings.TrimSpace(b.String())
}

func newNightRow(n stress.Night) nightRow {
	row := nightRow{Night: n}
	var wrong, met []string
	for _, race := range n.Races {
		row.Rounds += race.Ours
		if race.Wrong != "" {
			wrong = append(wrong, race.ID+"/ours "+race.Wrong)
		}
		if race.Symptoms > 0 {
			met = append(met, fmt.Sprintf("%s %d of %d", race.ID, race.Symptoms, race.Reported))
		}
	}
	row.Wrong, row.Met = strings.Join(wrong, ", "), strings.Join(met, " · ")
	return row
}
