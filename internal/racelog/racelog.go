// Package racelog parses the race detector's output of a controlled process.
package racelog

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A Report is one report of the race detector.
type Report struct {
	Address  string
	Accesses [2]Access // the later one first
	Step     int       // the number of the step that did the later access, 0 if unknown
}

// An Access is one of the two accesses of a data race.
type Access struct {
	Write     bool
	Atomic    bool
	Goroutine string   // its name in the report
	Stack     []string // "function file:line", innermost first
	PC        uintptr  // return address of the access in the program's code; 0 if unknown
	Where     string   // place of the access in the program's code, which includes the standard library
	Call      string   // where the access is in the standard library: place of the call into it, and its function
}

// Kind returns the kind of access: read, or atomic write, for example.
func (a Access) Kind() string {
	kind := "read"
	if a.Write {
		kind = "write"
	}
	if a.Atomic {
		return "atomic " + kind
	}
	return kind
}

func (r Report) String() string {
	return fmt.Sprintf("data race: %s by %q at %s, not ordered with %s by %q at %s",
		r.Accesses[0].Kind(), r.Accesses[0].Goroutine, cmp.Or(r.Accesses[0].Call, r.Accesses[0].Where),
		r.Accesses[1].Kind(), r.Accesses[1].Goroutine, cmp.Or(r.Accesses[1].Call, r.Accesses[1].Where))
}

// Same reports whether two reports are about the same code.
func (r Report) Same(other Report) bool {
	a, b := r.Accesses, other.Accesses
	return a[0].Where == b[0].Where && a[1].Where == b[1].Where || a[0].Where == b[1].Where && a[1].Where == b[0].Where
}

// A Log reads the race detector's reports. The detector can only write them, so a controlled
// process directs them to a file.
type Log struct {
	file *os.File
	path string
}

// Open opens the log of this process; without the race detector it is empty.
func Open() (*Log, error) {
	if !control.Detector() {
		return &Log{}, nil // there is nothing to read
	}
	base := os.Getenv(executable.RaceLogVar)
	if base == "" {
		return nil, fmt.Errorf("explore: %s is not set: a controlled process must be started by jacquard or by explore.Test", executable.RaceLogVar)
	}
	log := &Log{path: fmt.Sprintf("%s.%d", base, os.Getpid())}
	log.open()
	if log.file != nil {
		if _, err := log.file.Seek(0, io.SeekEnd); err != nil {
			return nil, fmt.Errorf("explore: race log: %w", err)
		}
	}
	return log, nil
}

// open opens the file once the detector has created it.
func (l *Log) open() {
	if l.file == nil {
		l.file, _ = os.Open(l.path)
	}
}

// Close closes the file.
func (l *Log) Close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

// Read returns the reports since the last call. pcs are the code addresses that the detector has
// symbolized since then.
func (l *Log) Read(pcs []uintptr, who Accessors) []Report {
	if len(pcs) == 0 {
		return nil
	}
	l.open()
	if l.file == nil {
		return nil
	}
	text, err := io.ReadAll(l.file)
	if err != nil {
		return nil
	}
	return parse(text, pcs, who)
}

var (
	accessLine = regexp.MustCompile(`^(?:Previous )?([Rr]ead|[Ww]rite) at (0x[0-9a-f]+) by (?:goroutine (\d+)|main goroutine):$`)
	frameLine  = regexp.MustCompile(`^  (\S.*)\(\)$`)
	placeLine  = regexp.MustCompile(`^      (.*):(\d+) \+0x([0-9a-f]+)$`)
)

// parse parses reports as the race detector prints them. Each printed frame is at one of pcs.
func parse(text []byte, pcs []uintptr, who Accessors) []Report {
	p := parser{returns: returnAddresses(pcs), who: who}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.line(lines.Text())
	}
	p.flush()
	return p.reports
}

// Accessors identify the goroutines of accesses. The detector numbers goroutines in the order of
// their creation, from an unknown start; one access whose goroutine is known determines the start.
type Accessors struct {
	Later []Later                  // in the order of their reports
	Born  []uint32                 // numbers of the tasks, as control.Task.Born
	Name  func(task uint32) string // 0 is a goroutine that is not a task
}

// A Later identifies the goroutine of the later access of a report, which is given by its index.
type Later struct {
	Report int
	Born   uint32
	Step   int // the number of the step that it was in
}

type parser struct {
	returns map[code]uintptr
	who     Accessors
	start   int64 // offset of the detector's numbers of goroutines
	started bool  // start is known
	step    int   // of the last report whose goroutine is known; others of the same step follow it
	reports []Report
	current Report
	n       int    // accesses read so far
	inStack bool   // in the stack of an access, not of a creation
	fn      string // of a frame whose place is on the next line
	within  string // the outermost function of the standard library so far, if the access is in one
}

// goroutine returns the name of the goroutine with the detector's number, in an access of the
// current report.
func (p *parser) goroutine(number int64) string {
	if later := p.who.Later; p.n == 0 && len(later) > 0 && later[0].Report <= len(p.reports) {
		p.start, p.started, p.step = int64(later[0].Born)-number, true, later[0].Step
		p.who.Later = later[1:]
	}
	if !p.started {
		return "?"
	}
	return p.who.Name(uint32(1 + slices.Index(p.who.Born, uint32(p.start+number))))
}

func (p *parser) line(s string) {
	switch {
	case strings.HasPrefix(s, "WARNING: DATA RACE"):
		p.flush()
	case strings.HasPrefix(s, "      "):
		if m := p.match(placeLine, s); m != nil && p.fn != "" {
			p.frame(p.fn, m[1], m[2], m[3])
			p.fn = ""
		}
	case strings.HasPrefix(s, "  "):
		if m := p.match(frameLine, s); m != nil {
			p.fn = m[1]
		}
	case strings.HasPrefix(s, "Goroutine "):
		p.inStack = false
	default:
		m := accessLine.FindStringSubmatch(s)
		if m == nil {
			return
		}
		p.inStack = p.n < 2
		if p.inStack {
			number, _ := strconv.ParseInt(m[3], 10, 64)
			p.current.Address = m[2]
			p.current.Accesses[p.n] = Access{Write: strings.EqualFold(m[1], "write"), Goroutine: p.goroutine(number)}
			p.current.Step, p.n, p.within = p.step, p.n+1, ""
		}
	}
}

// match matches only lines of an access's stack: most lines are others, and matching all of them
// would take longer than the execution.
func (p *parser) match(pattern *regexp.Regexp, s string) []string {
	if !p.inStack {
		return nil
	}
	return pattern.FindStringSubmatch(s)
}

// frame adds one frame to the current access.
func (p *parser) frame(function, file, line, offset string) {
	if !p.inStack || p.n == 0 {
		return
	}
	a := &p.current.Accesses[p.n-1]
	place := source.ShortPath(file) + ":" + line
	a.Stack = append(a.Stack, source.ShortFunction(function)+" "+place)
	if len(a.Stack) == 1 && source.PackageOf(function) == "sync/atomic" {
		a.Atomic = true // the detector does not say so
	}
	first := a.Where == ""
	if first && inner(function, place) {
		return
	}
	if off, err := strconv.ParseUint(offset, 16, 64); err == nil && first && a.PC == 0 {
		a.PC = p.returns[code{untyped(function), off}]
	}
	if file == source.Generated {
		return // its caller has a line
	}
	if first {
		a.Where = place
	}
	switch standard := source.Standard(source.PackageOf(function)); {
	case standard && (first || p.within != ""):
		p.within = source.ShortFunction(function)
	case p.within != "":
		a.Call, p.within = place+" in "+p.within, ""
	}
}

// inner reports whether a frame is never the program's: the runtime has functions named as if they
// were in other packages, such as reflect.typedmemmove.
func inner(function, place string) bool {
	pkg := source.PackageOf(function)
	return source.Machinery(pkg) || source.Standard(pkg) && strings.HasPrefix(place, "runtime/") || strings.HasPrefix(place, "testing/jacquard")
}

// A code is the position of a printed frame: the function, and the offset in it.
type code struct {
	function string
	offset   uint64
}

// returnAddresses finds printed frames among the addresses that the detector has asked about, which
// are not in a useful order. The detector prints the call, while scheduling points have its return
// address.
func returnAddresses(pcs []uintptr) map[code]uintptr {
	all := make(map[code]uintptr)
	for _, pc := range pcs {
		it := runtime.CallersFrames([]uintptr{pc + 1})
		for more := true; more; {
			var f runtime.Frame
			f, more = it.Next()
			at := code{f.Function, uint64(pc - f.Entry)}
			if _, known := all[at]; !known {
				all[at] = pc + 1
			}
		}
	}
	return all
}

// untyped returns a function's name as frames have it, because the detector prints type arguments.
func untyped(function string) string {
	i, j := strings.IndexByte(function, '['), strings.LastIndexByte(function, ']')
	if i < 0 || j < i {
		return function
	}
	return function[:i] + "[...]" + function[j+1:]
}

// place makes sure that an access has a place: if none of its frames is the program's, that of the
// innermost frame, and a text if the detector has dropped the stack.
func (a *Access) place() {
	switch {
	case a.Where != "":
	case len(a.Stack) > 0:
		_, a.Where, _ = strings.Cut(a.Stack[0], " ")
	default:
		a.Where = "a place that the detector no longer knows"
	}
}

func (p *parser) flush() {
	if p.n == 2 {
		for i := range p.current.Accesses {
			p.current.Accesses[i].place()
		}
		p.reports = append(p.reports, p.current)
	}
	p.current, p.n, p.inStack, p.fn = Report{}, 0, false, ""
}

// A Race is a report in a form for another process of the same program.
type Race struct {
	Report
	PCs    [2]int64 // 0 if unknown
	Places [2]string
}

// RacesOf converts reports for another process.
func RacesOf(all []Report) (races []Race) {
	for _, found := range all {
		w := Race{Report: found}
		for i, a := range found.Accesses {
			w.PCs[i], w.Places[i] = source.Relative(a.PC), a.Where
		}
		races = append(races, w)
	}
	return races
}

// RacesFrom converts them back.
func RacesFrom(races []Race) (all []Report) {
	for _, w := range races {
		for i := range w.Accesses {
			w.Accesses[i].PC, w.Accesses[i].Where = source.Absolute(w.PCs[i]), w.Places[i]
		}
		all = append(all, w.Report)
	}
	return all
}
