package timeline

import (
	"fmt"
	"strconv"
	"strings"
)

// Lines of a heading; longer names are cut.
const (
	maxNameLines   = 3
	maxOriginLines = 2
)

// A table draws rows in a layout.
type table struct {
	*page
	layout
	tl    *Timeline
	names []string // of the threads, as shown
	dir   string   // of all places, if they have a common one
}

// draw prints the heading and all kept items. hint says how to see the rest.
func (t *table) draw(all []item, hint string) {
	t.heading()
	skipped, lost := 0, 0 // rows and switches since the last kept item
	flush := func() {
		if skipped > 0 {
			t.omission(skipped, lost, hint)
		}
		skipped, lost = 0, 0
	}
	for _, it := range all {
		switch {
		case !it.keep && it.isSwitch:
			lost++
		case !it.keep:
			skipped++
		case it.isSwitch:
			flush()
			t.stopped(it)
		default:
			flush()
			t.step(&t.tl.Steps[it.step])
		}
	}
	flush()
}

func (t *table) heading() {
	var cells [][]line
	if t.isList {
		cells = [][]line{{{{"thread", faint}}}, {{{"step", faint}}}}
	} else {
		for i, thread := range t.threads {
			cells = append(cells, t.head(thread, t.columns[i]))
		}
	}
	where := "where"
	if t.dir != "" && t.dirFits() {
		where = t.whereIn()
	}
	t.row(line{{"#", faint}}, cells, line{{where, faint}})
	t.rule()
}

// whereIn returns the heading of the places, with their common directory.
func (t *table) whereIn() string { return "where, in " + clean(t.dir) }

// dirFits reports whether that heading fits.
func (t *table) dirFits() bool { return t.place > 0 && fits(t.whereIn(), t.placeColumn()) }

// head returns the heading of one thread's column.
func (t *table) head(thread, n int) []line {
	name := flow{width: n}
	name.add(span{t.names[thread], strong})
	name.clip(maxNameLines)
	from := flow{width: n}
	from.add(span{origin(t.tl.Threads[thread]), faint})
	from.clip(maxOriginLines)
	return append(name.lines, from.lines...)
}

// origin says which thread started this one, and where.
func origin(t Thread) string {
	switch {
	case t.CreatedBy == "":
		return t.Where
	case t.Where == "":
		return "by " + t.CreatedBy
	}
	return "by " + t.CreatedBy + ", " + t.Where
}

func (t *table) step(s *Step) {
	var cells [][]line
	if t.isList {
		name := line{{shortenMiddle(t.names[s.Thread], t.columns[0]), strong}}
		cells = [][]line{{name}, t.cell(s, t.columns[1])}
	} else {
		cells = make([][]line, len(t.columns))
		for i, thread := range t.threads {
			if thread == s.Thread {
				cells[i] = t.cell(s, t.columns[i])
			}
		}
	}
	st := plain
	if s.Mark.Has(Failed) {
		st = bad
	}
	number := shortenStart(strconv.Itoa(s.Index), t.number)
	t.row(line{{number, st}}, cells, t.where(s))
}

// cell returns the step, with its place below if places have no column.
func (t *table) cell(s *Step, n int) []line {
	if t.place > 0 {
		return cell(s, n)
	}
	return append(cell(s, n), places(s, n)...)
}

// where returns the step's entry in the column for places.
func (t *table) where(s *Step) line {
	if t.place == 0 {
		return nil
	}
	at := place(s, t.place)
	if t.fn == 0 || s.Func == "" {
		return at
	}
	return at.pad(t.place).add(span{text: "  "}).add(span{shortenFunc(clean(s.Func), t.fn), faint})
}

// row prints one row: the number, the step columns, the place.
func (t *table) row(number line, cells [][]line, where line) {
	height := 1
	for _, c := range cells {
		height = max(height, len(c))
	}
	for y := range height {
		out := line{}
		if y == 0 {
			out = out.pad(t.number - number.width())
			out = append(out, number...)
		}
		out = out.pad(t.number)
		for i, c := range cells {
			out = out.add(span{t.sep, faint})
			if y < len(c) {
				out = append(out, c[y].pad(t.columns[i])...)
			} else {
				out = out.pad(out.width() + t.columns[i])
			}
		}
		if t.place > 0 {
			out = out.add(span{t.sep, faint})
			if y == 0 {
				out = append(out, where...)
			}
		}
		t.print(out)
	}
}

// rule prints the line below the heading.
func (t *table) rule() {
	cross := strings.NewReplacer(" ", "─", "│", "┼").Replace(t.sep)
	text := strings.Repeat("─", t.number)
	for _, c := range t.columns {
		text += cross + strings.Repeat("─", c)
	}
	if t.place > 0 {
		text += cross + strings.Repeat("─", t.placeColumn())
	}
	t.print(line{{text, faint}})
}

// stopped prints a switch across all columns.
func (t *table) stopped(it item) {
	const before, between, after = "── ", " stopped here", " runs "
	room := t.width - width(before+between+", "+after+"──")
	text := before + shortenMiddle(t.names[it.from], room/2) + between
	if it.to >= 0 {
		text += ", " + shortenMiddle(t.names[it.to], room/2) + after
	} else {
		text += " "
	}
	text += strings.Repeat("─", max(t.total()-width(text), 2))
	t.print(line{{text, warn}})
}

// omission prints the line that stands for rows that are not shown.
func (t *table) omission(steps, stops int, hint string) {
	text := ellipsis + " " + count(steps, "step")
	if stops > 0 {
		text += ", " + count(stops, "preemption")
	}
	label := strings.Repeat(" ", t.number+width(t.sep))
	t.paragraph(span{text: label}, span{text + " not shown" + hint, faint})
}

// count formats a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
