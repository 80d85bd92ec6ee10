package cilog

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A Failure is a failure of a test.
type Failure struct {
	Package string // import path, or its last elements; "" if the log does not say
	Test    string // top-level
	Kind    Kind
	// Message is the line that reports it. Functions are those with the two accesses of
	// a data race, the one that panicked, or those that wait.
	Message   string
	Functions []string
	// Lines are the places of these functions, or of a check, as in "bank.go:18", as far as
	// the log has them. In another version the lines may have other numbers or texts.
	Lines []string
	// Stacks are those of the two accesses, of the panic, or of the waiting goroutines: the
	// program's frames, innermost first, as in "example.com/bank.(*Bank).Put bank.go:18".
	Stacks [][]string
}

// A Kind is how a test failed.
type Kind string

// The kinds.
const (
	Check    Kind = "check"
	Panic    Kind = "panic"
	Race     Kind = "race"
	Deadlock Kind = "deadlock" // or a time-out
)

// decoration matches what CI systems add to lines: the job and its step, the time, a mark,
// and colours.
var decoration = regexp.MustCompile(`^\x{FEFF}?(?:[^\t\n]+\t[^\t\n]+\t\x{FEFF}?)?(?:\d{4}-\d\d-\d\dT[\d:.]+Z (?:\d\d[OE][ +])?)(?:##\[\w+\])?|^(?:\x{FEFF}|##\[\w+\])|\x1b\[[\d;]*[A-Za-z]|\x1b_[^\a]*\a|\x16`)

// Parse finds the failures in a log, in their order, each once.
func Parse(text string) []Failure {
	p := parser{}
	for line := range strings.Lines(plain(text)) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.flush("")
	return p.all
}

// plain returns a log without additions by other programs. Of JSON events it keeps the
// output, package by package, because events of several packages are interleaved.
func plain(text string) string {
	var b strings.Builder
	var packages []string
	outputs := make(map[string]*strings.Builder)
	for line := range strings.Lines(text) {
		line = undecorated(line)
		var e struct{ Action, Package, Output string }
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			b.WriteString(line)
			continue
		}
		if outputs[e.Package] == nil {
			packages, outputs[e.Package] = append(packages, e.Package), new(strings.Builder)
		}
		outputs[e.Package].WriteString(undecorated(e.Output))
	}
	for _, pkg := range packages {
		b.WriteString(outputs[pkg].String())
		if pkg != "" {
			b.WriteString("\nFAIL\t" + pkg + "\n") // which may be missing in the package's output
		}
	}
	return b.String()
}

// undecorated returns a line as it was written, without text that a terminal overwrote.
func undecorated(line string) string {
	end := strings.TrimRight(line, "\r\n")
	return decoration.ReplaceAllString(end[strings.LastIndexByte(end, '\r')+1:], "") + line[len(end):]
}

var (
	failLine  = regexp.MustCompile(`^\s*--- FAIL: (\w+)`)
	sumLine   = regexp.MustCompile(`^=== FAIL: (\S+) (\w+)`) // of gotestsum
	checkLine = regexp.MustCompile(`^\s+([\w.-]+\.go:\d+: .*)`)
	placed    = regexp.MustCompile(`^[^\s:]+\.go:\d+`)
	panicLine = regexp.MustCompile(`^(?:panic|fatal error): (.*)`)
	lateLine  = regexp.MustCompile(`^panic: test timed out after`)
	lateTest  = regexp.MustCompile(`^\t\t(\w+)[/\w]* \(`)
	placeLine = regexp.MustCompile(`^\s+\S.*?([^/\\]+\.go:\d+)(?: \+0x[0-9a-f]+)?$`)
	frameLine = regexp.MustCompile(`^\s*([\w.~/-]+\.[\w.*()\[\]]+)\(.*\)$`)
	stackLine = regexp.MustCompile(`^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^\]]*)\]:$`)
	accesses  = regexp.MustCompile(`^\s*(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) at 0x`)
	endLine   = regexp.MustCompile(`^FAIL\t(\S+)`)
	testFrame = regexp.MustCompile(`\.((?:Test|Example|Fuzz)\w*)(?:\.func\d+.*)?$`)
	runLine   = regexp.MustCompile(`^=== (?:RUN|NAME|CONT|PAUSE)\s+(\w+)`)
)

// A parser reads a log line by line.
type parser struct {
	all  []Failure
	open []Failure // of the package being read
	test string    // the running test, if the log names it

	loose []string // checks of the running test, before its verdict
	races []Failure
	crash *Failure  // the crash whose stacks are being read
	top   bool      // the next frame of the program is the innermost one of a stack to keep
	lines *[]string // where to add the place in the next line of a stack; nil if nowhere
	stack bool      // the last of the failure's stacks is being read
	at    string    // the function of its last frame, until its place is read
}

// line reads a line.
func (p *parser) line(line string) {
	switch {
	case endLine.MatchString(line):
		p.flush(endLine.FindStringSubmatch(line)[1])
	case sumLine.MatchString(line):
		m := sumLine.FindStringSubmatch(line)
		p.begin(m[1], m[2])
	case runLine.MatchString(line):
		if m := runLine.FindStringSubmatch(line); m[1] != p.test {
			p.test, p.loose = m[1], nil
		}
	case failLine.MatchString(line):
		p.begin("", failLine.FindStringSubmatch(line)[1])
	case strings.HasPrefix(line, "WARNING: DATA RACE"):
		p.races = append(p.races, Failure{Kind: Race, Message: "data race", Test: p.test})
		p.crash, p.top = nil, false
	case p.crash == nil && panicLine.MatchString(line):
		p.crashes(line)
	case accesses.MatchString(line):
		p.top = len(p.races) > 0 && len(p.races[len(p.races)-1].Functions) < 2
	case line == "" || strings.HasPrefix(line, "Goroutine "):
		p.top, p.stack = false, false
	default:
		p.inside(line)
	}
}

// begin starts the failure of a test.
func (p *parser) begin(pkg, test string) {
	if n := len(p.open); n == 0 || p.open[n-1].Test != test {
		p.open = append(p.open, Failure{Package: pkg, Test: test})
	}
	f := &p.open[len(p.open)-1]
	for _, message := range p.loose {
		f.check(message)
	}
	p.loose, p.test = nil, test
	if len(p.races) > 0 && f.Kind == "" {
		*f = Failure{Package: f.Package, Test: test, Kind: Race, Message: "data race", Functions: p.races[0].Functions, Lines: p.races[0].Lines, Stacks: p.races[0].Stacks}
		p.races = nil
	}
}

// check records the first message of a test's check.
func (f *Failure) check(message string) {
	if f.Kind == "" && !strings.Contains(message, "race detected during execution of test") {
		f.Kind, f.Message = Check, message
		if place := placed.FindString(message); place != "" {
			f.Lines = []string{place}
		}
	}
}

// crashes starts the failure of a process that crashed.
func (p *parser) crashes(line string) {
	message, _, _ := strings.Cut(panicLine.FindStringSubmatch(line)[1], " [recovered")
	p.crash = &Failure{Kind: Panic, Message: message, Test: p.test}
	if lateLine.MatchString(line) || strings.Contains(line, "all goroutines are asleep") {
		p.crash.Kind = Deadlock
	}
	p.top = false
}

// inside reads a line within a stack or below a test.
func (p *parser) inside(line string) {
	if m := lateTest.FindStringSubmatch(line); m != nil && p.crash != nil {
		p.crash.Test = m[1]
		return
	}
	if m := stackLine.FindStringSubmatch(line); m != nil && p.crash != nil {
		p.stack = false
		waits, _, _ := strings.Cut(m[1], ",")
		p.top = p.crash.Kind == Deadlock && waits != "running" && waits != "runnable" || p.crash.Kind == Panic && len(p.crash.Functions) == 0
		return
	}
	if m := placeLine.FindStringSubmatch(line); m != nil {
		p.place(m[1])
		return
	}
	if m := frameLine.FindStringSubmatch(line); m != nil {
		p.frame(m[1])
		return
	}
	if m := checkLine.FindStringSubmatch(line); m != nil && p.crash == nil {
		if n := len(p.open); n > 0 && p.open[n-1].Test == p.test && p.open[n-1].Kind == "" {
			p.open[n-1].check(m[1])
		} else {
			p.loose = append(p.loose, m[1])
		}
	}
}

// place records the place of a stack frame.
func (p *parser) place(line string) {
	if p.lines != nil && !slices.Contains(*p.lines, line) {
		*p.lines = append(*p.lines, line)
	}
	if f := p.failure(); f != nil && p.at != "" {
		last := &f.Stacks[len(f.Stacks)-1]
		*last = append(*last, p.at+" "+line)
	}
	p.lines, p.at = nil, ""
}

// failure returns the failure whose stacks are being read, or nil.
func (p *parser) failure() *Failure {
	switch {
	case p.crash != nil:
		return p.crash
	case len(p.races) > 0:
		return &p.races[len(p.races)-1]
	}
	return nil
}

// frame records the function of a stack frame.
func (p *parser) frame(function string) {
	if m := testFrame.FindStringSubmatch(function); m != nil && p.crash != nil && p.crash.Test == "" {
		p.crash.Test = m[1]
	}
	f := p.failure()
	if machinery(function) || f == nil {
		return
	}
	if p.stack {
		p.at = function
	}
	if !p.top {
		return
	}
	f.Stacks, p.lines = append(f.Stacks, nil), &f.Lines
	p.top, p.stack, p.at = false, true, function
	if f.Kind == Race || !slices.Contains(f.Functions, function) {
		f.Functions = append(f.Functions, function)
	}
}

// machinery reports whether a function belongs to the runtime, package testing or the
// like, which are not under test.
func machinery(function string) bool {
	for _, pkg := range []string{"runtime", "runtime/debug", "internal/", "sync", "sync/atomic", "testing", "panic"} {
		if strings.HasPrefix(function, pkg+".") || strings.HasSuffix(pkg, "/") && strings.HasPrefix(function, pkg) {
			return true
		}
	}
	return false
}

// flush ends the failures of a package.
func (p *parser) flush(pkg string) {
	if p.crash != nil && p.crash.Test != "" {
		p.open = slices.DeleteFunc(p.open, func(f Failure) bool { return f.Test == p.crash.Test && f.Kind != Check })
		p.open = append(p.open, *p.crash)
	}
	for _, f := range p.open {
		if f.Package == "" {
			f.Package = pkg
		}
		same := func(g Failure) bool {
			return g.Test == f.Test && (g.Package == f.Package || f.Package == "" || g.Package == "" || strings.HasSuffix(g.Package, "/"+f.Package) || strings.HasSuffix(f.Package, "/"+g.Package))
		}
		if i := slices.IndexFunc(p.all, same); i < 0 {
			p.all = append(p.all, f)
		} else if p.all[i].Kind == "" {
			f.Package, f.Test = p.all[i].Package, p.all[i].Test
			p.all[i] = f
		}
	}
	*p = parser{all: p.all}
}
