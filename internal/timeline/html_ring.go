package timeline

import (
	"fmt"
	"math"
)

// A ring is a drawing of a wait-for cycle: threads and objects in a circle, clockwise from the
// left. Lengths are integers, in units of about a pixel, so that every machine draws the same.
type ring struct {
	Width, Height int
	Nodes         []ringNode
	Edges         []ringEdge
}

// A ringNode is a box around the point (X, Y): the thread that waits, or the object.
type ringNode struct {
	X, Y, Left, Top, Width, Height int
	Text                           string // shortened
	Full                           string
	Class                          string // thread or object
}

// A ringEdge is an arrow with a word at the point (X, Y).
type ringEdge struct {
	Path  string
	X, Y  int
	Text  string
	Class string // waits or held
}

// A hop is one box of a chain of waits and the word on the arrow to it; the first has no arrow.
type hop struct{ Arrow, Text, Class string }

const (
	classThread, classObject = "thread", "object"
	classWaits, classHeld    = "waits", "held"
)

const (
	ringChars   = 26 // of a node's text
	ringChar    = 8  // width of one
	nodeHeight  = 32
	nodePadding = 24
	ringMargin  = 24
)

// newRing draws a closed cycle; it returns nil for any other, and for one with more entries than a
// drawing can show.
func newRing(cycle []Wait) *ring {
	const most = 12
	if len(cycle) == 0 || len(cycle) > most || !closed(cycle) {
		return nil
	}
	var nodes []ringNode
	widest := 0
	for _, w := range cycle {
		for _, n := range []ringNode{box(w.Thread, classThread), box(w.Object, classObject)} {
			nodes = append(nodes, n)
			widest = max(widest, n.Width)
		}
	}
	radiusX := float64(widest/2 + 90 + 26*len(nodes))
	radiusY := float64(44 + 18*len(nodes))
	r := &ring{
		Width:  2*int(radiusX) + widest + 2*ringMargin,
		Height: 2*int(radiusY) + nodeHeight + 2*ringMargin,
	}
	for i, n := range nodes {
		angle := math.Pi + 2*math.Pi*float64(i)/float64(len(nodes))
		n.X = r.Width/2 + round(radiusX*math.Cos(angle))
		n.Y = r.Height/2 + round(radiusY*math.Sin(angle))
		n.Left, n.Top = n.X-n.Width/2, n.Y-n.Height/2
		r.Nodes = append(r.Nodes, n)
	}
	r.connect(cycle)
	return r
}

// closed reports whether each entry waits for the next, and the last for the first.
func closed(cycle []Wait) bool {
	last := cycle[len(cycle)-1]
	for _, w := range cycle {
		if w.Thread == "" || last.Holder != w.Thread {
			return false
		}
		last = w
	}
	return true
}

// connect adds the arrows from each node to the next. There are two nodes for
// each wait.
func (r *ring) connect(cycle []Wait) {
	for i := range r.Nodes {
		from, to := &r.Nodes[i], &r.Nodes[(i+1)%len(r.Nodes)]
		e := ringEdge{Text: "waits for", Class: classWaits}
		if from.Class == classObject {
			e.Text, e.Class = clean(cycle[i/2].how()), classHeld
		}
		// The arrow bends outward, and more if there is another one the other way.
		bend := 16.0
		if len(r.Nodes) == 2 {
			bend = 70
		}
		dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
		length := math.Hypot(dx, dy)
		midX, midY := float64(from.X+to.X)/2, float64(from.Y+to.Y)/2
		ctrlX, ctrlY := round(midX+dy/length*bend), round(midY-dx/length*bend)
		x0, y0 := from.border(ctrlX, ctrlY)
		x1, y1 := to.border(ctrlX, ctrlY)
		e.Path = fmt.Sprintf("M%d %dQ%d %d %d %d", x0, y0, ctrlX, ctrlY, x1, y1)
		e.X, e.Y = (x0+2*ctrlX+x1)/4, (y0+2*ctrlY+y1)/4
		r.Edges = append(r.Edges, e)
	}
}

// border returns the point where the line from the middle of n to (x, y), which is outside, leaves
// the box.
func (n *ringNode) border(x, y int) (int, int) {
	dx, dy := float64(x-n.X), float64(y-n.Y)
	const gap = 3
	scale := min((float64(n.Width)/2+gap)/math.Abs(dx), (float64(n.Height)/2+gap)/math.Abs(dy))
	return n.X + round(dx*scale), n.Y + round(dy*scale)
}

func round(x float64) int { return int(math.Round(x)) }

// box returns a node that is not yet placed.
func box(text, class string) ringNode {
	n := ringNode{Full: clean(text), Class: class, Height: nodeHeight}
	if n.Full == "" {
		n.Full = "unknown"
	}
	n.Text = shortenMiddle(n.Full, ringChars)
	n.Width = nodePadding + ringChar*width(n.Text)
	return n
}

// chains splits a cycle into chains, as [page.cycle] prints them: a new chain starts wherever an
// entry's thread is not the previous holder.
func chains(cycle []Wait) [][]hop {
	var all [][]hop
	for i, w := range cycle {
		if i == 0 || cycle[i-1].Holder != w.Thread {
			all = append(all, []hop{{Text: clean(w.Thread), Class: classThread}})
		}
		last := len(all) - 1
		all[last] = append(all[last], hop{"waits for", clean(w.Object), classObject})
		if w.Holder != "" {
			all[last] = append(all[last], hop{clean(w.how()), clean(w.Holder), classThread})
		}
	}
	return all
}
