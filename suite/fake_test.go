package suite_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// The variables by which a test configures the fake.
const (
	fakeTests  = "FAKE_TESTS"  // the names of its tests, with commas
	fakeMain   = "FAKE_MAIN"   // what its TestMain does
	fakeMended = "FAKE_MENDED" // if not empty, no schedule fails, but for cards if it is "partly"
	fakeLog    = "FAKE_LOG"    // a file that gets a line for each turn and each card
)

// A fake is this test binary in place of one under control: it speaks the protocol, with
// made-up results.
type fake struct {
	request *protocol.Request
	events  *child.Conn
	marker  string
	deep    string // the part of the flags about subtests
	told    bool
	failed  bool
}

// perTurn is how many schedules a fake runs in a turn, whatever its length.
const perTurn = 100

// discovered is what each test does in the discovery run. Every concurrent one is explored.
var discovered = map[string]func(*fake, *protocol.Event){
	"TestPlain":   func(*fake, *protocol.Event) {},
	"TestChatty":  func(*fake, *protocol.Event) { fmt.Println("it says hello") },
	"TestSkipped": func(_ *fake, e *protocol.Event) { e.Skipped, e.Why = true, "not today" },
	"TestWrong": func(_ *fake, e *protocol.Event) {
		e.Verdict, e.Kind = "violated", "check"
	},
	"TestExits": func(*fake, *protocol.Event) { fmt.Println("goodbye"); os.Exit(3) },
	"TestCrash": func(*fake, *protocol.Event) { panic("weft") },
	"TestKilled": func(f *fake, _ *protocol.Event) {
		if err := os.WriteFile(f.request.Output, []byte("its last words"), 0o600); err != nil {
			panic(err)
		}
		os.Exit(9)
	},
	"TestHolds": func(*fake, *protocol.Event) {
		log, err := os.OpenFile(os.Getenv(fakeLog), os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(log, "it holds the log")
		time.Sleep(time.Hour)
	},
	"TestLeavesChild": func(*fake, *protocol.Event) {
		log, err := os.OpenFile(os.Getenv(fakeLog), os.O_RDWR, 0) // nothing is read from it
		if err != nil {
			panic(err)
		}
		child := exec.Command("sleep", "1000")
		child.Stdin, child.Stdout, child.Stderr = log, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
	},
	"TestDiesFirst": func(*fake, *protocol.Event) { dies() },
	"TestMute":      func(*fake, *protocol.Event) {},
	"TestSpoils": func(_ *fake, e *protocol.Event) {
		e.Verdict, e.Kind, e.Report, e.Spoilt = "violated", "panic", "violated: panic\n  weft\n", true
	},
	"TestGivenUp": func(_ *fake, e *protocol.Event) {
		e.Verdict, e.Reason, e.Spoilt = "unknown", "no end after 100 steps", true
	},
	"TestStuck":       func(f *fake, _ *protocol.Event) { f.hang() },
	"TestStuckBehind": stuckBehind,
	"TestApart":       apart,
	"TestMany":        concurrent,
	"TestFew":         concurrent,
	"TestNear":        concurrent,
	"TestCovers":      concurrent,
	"TestWordy":       concurrent,
	"TestRacy":        concurrent,
	"TestSleeps":      concurrent,
	"TestNaps":        concurrent,
	"TestCut":         concurrent,
	"TestLoses":       concurrent,
	"TestDies":        concurrent,
	"TestHangs":       concurrent,
	"TestUnknown":     concurrent,
	"TestFinds":       concurrent,
	"TestFollows":     concurrent,
	"TestReduces":     concurrent,
	"TestBeside":      concurrent,
	"TestInstead":     concurrent,
	"TestRefutes":     concurrent,
	"TestTells":       concurrent,
	"TestOnce":        concurrent,
	"TestExhausts":    concurrent,
	"TestEarly": func(f *fake, e *protocol.Event) {
		concurrent(f, e)
		e.Verdict, e.Kind, e.Cause, e.Report, e.Spoilt = "violated", "panic", "weft", "violated: panic\n  weft\n", true
	},
	"TestSlow": func(f *fake, e *protocol.Event) {
		concurrent(f, e)
		e.Took, e.Coarse = time.Hour, true
	},
	"TestDoubted": doubted,
	"TestNested": func(f *fake, e *protocol.Event) {
		concurrent(f, e)
		fmt.Printf("%s=== RUN   TestNested/sub\n", f.marker)
	},
	"TestTough":     concurrent,
	"TestEndsBadly": concurrent,
	"TestDiesLast":  concurrent,
	"TestRefused":   concurrent,
	"TestOthers": func(f *fake, e *protocol.Event) {
		concurrent(f, e)
		e.Took = 2 * time.Second
		e.Outside = []string{`goroutine "p.wait #2" waited for another process, at a_test.go:9`, "other processes"}
	},
	"TestNetwork": func(f *fake, e *protocol.Event) {
		concurrent(f, e)
		e.Outside = []string{"the network"}
	},
	"TestEndless": func(_ *fake, e *protocol.Event) {
		e.Verdict, e.Reason, e.Outside = "unknown", "no end after 100 steps", []string{"the network"}
	},
	"TestLoud": func(*fake, *protocol.Event) {
		for i := range 20 << 10 { // lines of 1 KiB
			fmt.Printf("line %05d %s\n", i, strings.Repeat(".", 1024-12))
		}
	},
}

// doing returns what a test does; all tests that begin with TestMany do the same.
func doing(name string) func(*fake, *protocol.Event) {
	if strings.HasPrefix(name, "TestMany") {
		return concurrent
	}
	return discovered[name]
}

func concurrent(_ *fake, e *protocol.Event) {
	e.Concurrent, e.Points, e.Verdict, e.Reason = true, 7, "unknown", "not explored"
}

// beFake is the main function of a fake.
func beFake() int {
	flag.Parse() // package testing's flags are there
	value := func(name string) string { return flag.Lookup(name).Value.String() }
	run, skip, v := value("test.run"), value("test.skip"), value("test.v")
	f := &fake{told: v != "false"}
	if v == "test2json" {
		f.marker = "\x16"
	}
	top, subtests, _ := strings.Cut(run, "/")
	if run = top; subtests != "" {
		f.deep = " /" + subtests
	}
	if top, subtests, _ := strings.Cut(skip, "/"); subtests != "" {
		f.deep, skip = f.deep+" without "+top+"/"+subtests, ""
	}
	var err error
	if f.request, err = protocol.ReadRequest(); err != nil {
		panic(err)
	}
	if f.request == nil {
		fmt.Println("TestMain begins without control\nPASS")
		if os.Getenv(fakeMain) == "exit before others" && os.Getenv(fakeMended) == "" {
			return 1 // and package testing says that something failed
		}
		return f.after(skip != "")
	}
	events, err := os.OpenFile(f.request.Events, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	f.events = child.Lines(nil, events)
	if _, err := os.MkdirTemp("", "left-behind"); err != nil {
		panic(err)
	}
	fmt.Println("TestMain begins")
	code, end := f.before(skip != "")
	defer end()
	if code != 0 {
		return code
	}
	ran := false
	for name := range strings.SplitSeq(os.Getenv(fakeTests), ",") {
		if regexp.MustCompile(run).MatchString(name) && (skip == "" || !regexp.MustCompile(skip).MatchString(name)) {
			f.test(name)
			ran = true
		}
	}
	if !ran {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	word := "PASS"
	if f.failed {
		word = "FAIL"
	}
	fmt.Println(f.marker + word)
	if code := f.after(skip != ""); code != 0 {
		return code
	}
	switch os.Getenv(fakeMain) {
	case "hang after exploring":
		if f.request.Mode == protocol.Explore {
			time.Sleep(time.Hour)
		}
	case "clean up":
		time.Sleep(100 * time.Millisecond)
		f.log("TestMain ends")
	}
	if f.failed {
		return 1
	}
	return 0
}

func (f *fake) send(e protocol.Event) {
	if err := f.events.Send(e); err != nil {
		panic(err)
	}
}

// test runs one test.
func (f *fake) test(name string) {
	f.send(protocol.Event{Test: name, Begin: true})
	e := protocol.Event{Test: name, Verdict: "holds", Schedules: 1, Distinct: 1, Took: 20 * time.Millisecond}
	switch f.request.Mode {
	case protocol.Explore:
		f.explore(&e)
	case protocol.Replay:
		f.replay(&e)
	default:
		fmt.Print(protocol.Boundary(name))
		if f.told {
			fmt.Printf("%s=== RUN   %s\n", f.marker, name)
		}
		doing(name)(f, &e)
		f.verdict(&e)
		fmt.Print(protocol.Boundary(""))
	}
	f.send(e)
	if e.Spoilt {
		os.Exit(1)
	}
}

// verdict writes what package testing would.
func (f *fake) verdict(e *protocol.Event) {
	word := "PASS"
	switch {
	case e.Test == "TestEndless", e.Test == "TestMute":
		return
	case e.Verdict == "violated":
		word, f.failed = "FAIL", true
	case e.Skipped:
		word = "SKIP"
	}
	if f.told || word == "FAIL" {
		fmt.Printf("%s--- %s: %s (0.02s)\n    fake_test.go:1: %s\n", f.marker, word, e.Test, strings.ToLower(word))
	}
	if f.marker != "" {
		fmt.Printf("%[1]s=== NAME  \n%[1]s=== NAME   \n", f.marker) // after a test, and after an example
	}
}

// explore runs schedules until there are enough, or no more turns.
func (f *fake) explore(e *protocol.Event) {
	turns, err := protocol.OpenTurns(f.request.Turns)
	if err != nil {
		panic(err)
	}
	from, _ := strconv.Atoi(string(f.request.Bookmark)) // 0 if there is none
	e.Concurrent, e.Points, e.Schedules, e.Distinct = true, 7, from, from
	for {
		more, err := turns.Next()
		if err != nil {
			panic(err)
		}
		if !more {
			switch e.Test {
			case "TestReduces":
				f.send(protocol.Event{Test: e.Test, Pause: true})
				continue
			case "TestEndsBadly": // and leaves no checkpoint
				f.violate(e)
				return
			case "TestRefused":
				e.Verdict, e.Refused, e.Reason, e.Card = "unknown", true, "-50 left, but nobody could try that", "jq2-fake"
				return
			case "TestDiesLast":
				fmt.Println("fatal error: selvedge")
				os.Exit(2)
			case "TestExhausts":
				e.Exhausted, e.Claim = true, "exhausted"
			}
			e.Bookmark = strconv.AppendInt(nil, int64(e.Schedules), 10)
			return
		}
		turn := fmt.Sprintf("%s from %d", e.Test, e.Schedules)
		if n := turns.Processes(); n > 1 {
			turn += fmt.Sprintf(" with %d processes", n)
		}
		f.log(turn + f.deep)
		most := f.request.Schedules
		if e.Test == "TestNear" {
			most += min(f.request.Further, 2*perTurn)
		}
		e.Schedules = min(e.Schedules+perTurn, most)
		e.Distinct = e.Schedules
		switch e.Test {
		case "TestCovers":
			if f.request.Covered {
				e.Covered = &coverage.Listing{Operations: []coverage.Operation{
					{Spot: coverage.Spot{File: here + "/fake_test.go", Line: 1, Op: "Lock", Kind: coverage.Lock}, Count: coverage.Count{Times: 4}},
					{Spot: coverage.Spot{File: here + "/guest/item.go", Line: 1, Op: "CompareAndSwap", Kind: coverage.CompareAndSwap}, Count: coverage.Count{Times: 4, Refused: 1}},
				}, Orders: []coverage.Order{{First: 0, Then: 1, Seen: 3}}}
			}
		case "TestWordy":
			e.Incomplete = strings.Repeat("the order of system calls was not seen, ", 1000)
			e.Claim = e.Incomplete
		case "TestFew":
			e.Distinct, e.Bound, e.Claim = 3, new(int), "exhausted at ≤ 0 preemptions"
		case "TestEndsBadly":
			e.Distinct = 3
		case "TestNetwork":
			e.Incomplete, e.Claim = "the order of system calls was not seen", "cannot be exhausted: the order of system calls was not seen"
		case "TestRacy", "TestLoses", "TestEarly", "TestSleeps", "TestNaps", "TestCut", "TestStuckAgain":
			if os.Getenv(fakeMended) == "" {
				f.violate(e)
				return
			}
		case "TestOnce":
			if e.Schedules == perTurn {
				e.Verdict, e.Reason, e.Again, e.Spoilt, e.Bookmark = "unknown", "-50 left, but not by the same schedule in a process of its own", true, true, strconv.AppendInt(nil, int64(e.Schedules), 10)
				return
			}
			e.Exhausted, e.Claim = true, "exhausted"
		case "TestUnknown":
			e.Verdict, e.Reason = "unknown", "not repeatable"
			return
		case "TestDies":
			if e.Schedules > perTurn {
				dies()
			}
		case "TestTough":
			for range 20 {
				f.send(protocol.Event{Test: e.Test, Alive: true})
			}
		case "TestHangs":
			f.hang()
		case "TestFinds", "TestFollows", "TestReduces":
			found := protocol.Event{Test: e.Test, Found: true, Kind: "check", Message: "-50 left", Strategy: "pos", Schedules: 3, Preemptions: 2, Quantum: e.Test == "TestFollows", Steps: 9}
			if f.send(found); e.Test != "TestFinds" {
				found.Card = "jq2-fake"
				f.send(found)
			}
			if e.Test != "TestReduces" {
				f.hang()
			}
		case "TestBeside", "TestInstead", "TestRefutes", "TestWhole", "TestDoubts":
			f.finds(e.Test)
		case "TestTells":
			f.send(protocol.Event{Test: e.Test, Alive: true, Schedules: 5, Distinct: 4, Points: 7})
			f.hang()
		}
		if e.Schedules == most {
			return
		}
		f.send(protocol.Event{Test: e.Test, Pause: true, Schedules: e.Schedules, Distinct: e.Distinct, Points: e.Points})
	}
}

// replay does what the card says; a fake's cards are plain words.
func (f *fake) replay(e *protocol.Event) {
	f.log(e.Test + " by " + f.request.Card + f.deep)
	e.Concurrent, e.Points, e.Verdict = true, 7, "unknown"
	card := f.request.Card
	switch os.Getenv(fakeMended) {
	case "":
	case "partly":
		card = "jq2-other"
	default:
		card = "jq2-gone"
	}
	switch card {
	case "jq2-fake", "jq2-moved":
		f.violate(e)
		e.Replayed, e.Schedules = "exactly replayed", 1
	case "jq2-dies":
		os.Exit(2)
	case "jq2-hangs":
		f.hang()
	case "jq2-other":
		f.violate(e)
		e.Replayed, e.Schedules, e.Card = "fails differently", 1, "jq2-another"
	case "jq2-lost":
		e.Replayed, e.Reason = "diverged", "first divergence at decision 1 of 2"
	default:
		e.Replayed, e.Reason = "no longer fails", "no longer fails: the program has changed"
	}
}

// hanging is what a fake writes to its log before it hangs.
const hanging = "hangs\n"

func (f *fake) hang() {
	f.log(strings.TrimSpace(hanging))
	time.Sleep(time.Hour)
}

// log records a turn, or a card.
func (f *fake) log(line string) {
	path := os.Getenv(fakeLog)
	if path == "" {
		return
	}
	log, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	_, err = fmt.Fprintln(log, line)
	if err := errors.Join(err, log.Close()); err != nil {
		panic(err)
	}
}

// names returns the tests of a fake.
func names(tests ...string) string {
	if i := slices.IndexFunc(tests, func(name string) bool { return doing(name) == nil }); i >= 0 {
		panic("there is no " + tests[i])
	}
	return strings.Join(slices.Clone(tests), ",")
}
