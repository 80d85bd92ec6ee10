package races_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/races"
)

func ExampleFind() {
	race, cell, err := races.Find("R4/suggested")
	fmt.Println(race.Title, "|", cell.Want, "|", cell.Why, "|", err)
	_, _, err = races.Find("R8/ours")
	fmt.Println(err)
	// Output:
	// a change in a stale changeset | violated | the lock covers neither the store's start nor the store's record | <nil>
	// unknown race: got "R8/ours", want one of R1/reported, R1/suggested, R1/ours, R2/reported, R2/suggested, R2/ours, R3/reported, R3/suggested, R3/ours, R4/reported, R4/suggested, R4/ours, R5/reported, R5/suggested, R5/ours, R6/reported, R6/suggested, R6/ours, R7/reported, R7/suggested, R7/ours, N1/reported, N1/suggested, N1/ours, N2/reported, N2/suggested, N2/ours, N3/reported, N3/suggested, N3/ours, N4/reported, N4/ours, N5/reported, N5/ours, N6/reported, N6/ours, N7/reported, N7/ours, N8/reported, N8/ours, N9/reported, N9/ours, N10/reported, N10/suggested, N10/ours
}

func TestFind(t *testing.T) {
	for _, race := range races.All() {
		for _, cell := range race.Cells {
			for _, id := range []string{cell.ID, strings.ToLower(cell.ID)} {
				foundRace, found, err := races.Find(id)
				if err != nil || foundRace.ID != race.ID || found.ID != cell.ID {
					t.Errorf("find %q: got %s, %s, %v, want the cell", id, foundRace.ID, found.ID, err)
				}
			}
		}
	}
	for _, id := range []string{"", "R4", "R4/", "R4/theirs", "ours", "R4/ours/ours"} {
		if _, _, err := races.Find(id); !errors.Is(err, races.ErrUnknown) || !strings.Contains(err.Error(), "R4/ours") {
			t.Errorf("find %q: got %v, want ErrUnknown and what there is", id, err)
		}
	}
}

// TestWantedVerdicts repeats the catalogue's verdicts, so that none of them changes by accident.
func TestWantedVerdicts(t *testing.T) {
	const want = `R1 #3950 violated check, holds, holds
R2 #1281 violated check, violated check, holds
R3 #1281 violated panic, holds, holds
R4 #7120 violated check, violated check, holds
R5 #7120 violated panic, holds, holds
R6 #7424 violated check, holds, holds
R7 #7424 violated check, violated check, holds
N1 #7420 violated check, violated check, holds
N2 #7137 violated check, violated check, holds
N3 #7989 violated check, violated check, holds
N4 #7406 violated check, none, holds
N5 #7357 violated check, none, holds
N6 #9081 violated check, none, holds
N7 #7731 violated check, none, holds
N8 #5456 violated check, none, holds
N9 #7582 violated check, none, holds
N10 #4372 violated check, violated check, holds
`
	var got strings.Builder
	for _, race := range races.All() {
		var cells []string
		for _, column := range races.Columns() {
			cell, ok := race.Cell(column)
			if !ok {
				cell.Want = "none"
			}
			cells = append(cells, strings.TrimSpace(fmt.Sprint(cell.Want, " ", cell.Kind)))
		}
		fmt.Fprintf(&got, "%s #%d %s\n", race.ID, race.Issue, strings.Join(cells, ", "))
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestCatalogueIsComplete(t *testing.T) {
	for _, race := range races.All() {
		if race.Must == "" || race.Title == "" || len(race.Title) > 48 || strings.Contains(race.Title+race.Must, "\n") {
			t.Errorf("%s: got %q and %q, want what must hold, and a title of one short line", race.ID, race.Must, race.Title)
		}
		columns := races.Columns()
		if race.Related() && len(race.Cells) == 2 { // the report suggests no fix
			columns = []races.Column{races.Reported, races.Ours}
		}
		if len(race.Cells) != len(columns) {
			t.Fatalf("%s: got %d cells, want %d", race.ID, len(race.Cells), len(columns))
		}
		for i, column := range columns {
			cell := race.Cells[i]
			if cell.Column != column || cell.ID != race.ID+"/"+string(column) {
				t.Errorf("%s: got cell %d %s in column %s, want the columns in order", race.ID, i, cell.ID, cell.Column)
			}
			if (cell.Want == races.Violated) != (cell.Kind != "") {
				t.Errorf("%s: got %s with kind %q, want a kind exactly for violated", cell.ID, cell.Want, cell.Kind)
			}
			if cell.Why == "" || cell.Body == nil {
				t.Errorf("%s: got no reason or no body, want both", cell.ID)
			}
		}
	}
	if _, ok := races.All()[0].Cell("theirs"); ok {
		t.Error("got a cell in an unknown column, want none")
	}
}
