package guarantees

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// Markdown returns the table: a line for each row, a column for each peer, and the best outcomes of a row in bold.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| | |")
	for _, p := range t.Peers {
		fmt.Fprintf(&b, " %s |", p)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(t.Peers)) + "\n")
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "| %s | %s |", r.ID, r.What)
		for _, p := range t.Peers {
			fmt.Fprintf(&b, " %s |", t.cell(r.ID, p))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// glance lists the columns of the table of peers, with the rows that they summarise.
var glance = []struct{ head, row string }{
	{"extra creations + second objects", "G1"},
	{"hits that wait", "G7a"},
	{"creations that wait, growing", "G7c"},
	{"panic → waiter / next", "G3a"},
	{"Goexit → waiter / next", "G3b"},
	{"waiter's context", "G4a"},
	{"Delete during a creation", "G8b"},
	{"Set during a creation", "G8a"},
	{"cycle", "G6c"},
}

// Glance returns the other table: a line for each peer, with the rows that matter most to users.
func (t *Table) Glance() string {
	var b strings.Builder
	b.WriteString("| |")
	for _, g := range glance {
		fmt.Fprintf(&b, " %s |", g.head)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(glance)) + "\n")
	for _, p := range t.Peers {
		fmt.Fprintf(&b, "| %s |", p)
		for _, g := range glance {
			fmt.Fprintf(&b, " %s |", t.cell(g.row, p))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cell formats an outcome.
func (t *Table) cell(row string, peer peers.Name) string {
	o := t.At(row, peer)
	if o.Grade == Kept {
		return "**" + o.Text + "**"
	}
	return o.Text
}

// Behind returns the rows in which a peer is not as good as the best of the others.
func (t *Table) Behind(peer peers.Name) []Row {
	var behind []Row
	for _, r := range t.Rows {
		own := t.At(r.ID, peer).Grade
		for _, p := range t.Peers {
			if t.At(r.ID, p).Grade < own {
				behind = append(behind, r)
				break
			}
		}
	}
	return behind
}
