package caches

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// Measured is a row with its results.
type Measured struct {
	Row     Row
	Results []Result
}

// Of returns the result of a peer.
func (m Measured) Of(peer peers.Name) (Result, bool) {
	i := slices.IndexFunc(m.Results, func(r Result) bool { return r.Peer == peer })
	if i < 0 {
		return Result{}, false
	}
	return m.Results[i], true
}

// best is the least value of the row.
func (m Measured) best() float64 {
	best := 0.0
	for i, r := range m.Results {
		if v := r.Value(); i == 0 || v < best {
			best = v
		}
	}
	return best
}

// WriteTable writes the rows as a Markdown table: each figure, and in brackets how many times the row's best it is.
func WriteTable(w io.Writer, rows []Measured) error {
	var b strings.Builder
	b.WriteString("| | ")
	for _, name := range peers.All() {
		fmt.Fprintf(&b, "| %s ", name)
	}
	b.WriteString("|\n|---|" + strings.Repeat("---|", len(peers.All())) + "\n")
	for _, m := range rows {
		fmt.Fprintf(&b, "| %s, %s ", m.Row.Name, m.Row.Unit)
		for _, name := range peers.All() {
			b.WriteString("| " + m.cell(name) + " ")
		}
		b.WriteString("|\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (m Measured) cell(peer peers.Name) string {
	r, ok := m.Of(peer)
	if !ok {
		return "–"
	}
	v := strconv.FormatFloat(r.Value(), 'f', m.Row.Digits, 64)
	if best := m.best(); m.Row.Unit != "×" && best > 0 {
		if r.Value() == best {
			v = "**" + v + "**"
		} else {
			v += fmt.Sprintf(" (%.2f)", r.Value()/best)
		}
	}
	if r.Note != "" {
		v += "; " + r.Note
	}
	return v
}
