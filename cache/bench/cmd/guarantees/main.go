// Command guarantees asks the cache of this repository, and those that it is compared with, what they guarantee, and
// writes the answers as a page in Markdown.
//
//	go run ./cmd/guarantees -o ../../docs/guarantees.md
//	go run ./cmd/guarantees -races 40000 -rounds 10 -only G1
//
// The exit status is 0 only if no peer is better than ours in any row.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/cache/bench/guarantees"
	"github.com/jacquard-go/jacquard/cache/bench/peers"
	"github.com/jacquard-go/jacquard/internal/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "guarantees:", err)
		os.Exit(1)
	}
}

// An order is what the command line asks for.
type order struct {
	effort    guarantees.Effort
	only      string
	file      string
	commit    string
	row, peer string // of the one probe of this process
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("guarantees", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.effort.Races, "races", 4000, "keys that eight goroutines race for, a round")
	f.IntVar(&o.effort.Rounds, "rounds", 1, "rounds of races")
	f.StringVar(&o.only, "only", "", "only the rows whose ID begins with this")
	f.StringVar(&o.file, "o", "", "the file to write (default: standard output)")
	f.StringVar(&o.commit, "commit", "", "the commit that is asked (default: what git says)")
	f.StringVar(&o.row, "row", "", "for this command's own use: the row of the one probe to run")
	f.StringVar(&o.peer, "peer", "", "for this command's own use: the peer of that probe")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.effort.Races < 1 || o.effort.Rounds < 1 || f.NArg() > 0 {
		return o, fmt.Errorf("got %d races, %d rounds and arguments %q, want at least 1, at least 1 and none", o.effort.Races, o.effort.Rounds, f.Args())
	}
	return o, nil
}

// errBehind: a peer is better than ours.
var errBehind = errors.New("a peer is better")

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if err != nil {
		return err
	}
	if o.row != "" {
		return guarantees.Serve(out, o.row, func() (peers.Cache[string, *guarantees.Object], error) {
			return peers.Open[string, *guarantees.Object](peers.Name(o.peer), o.effort.Races)
		}, o.effort)
	}
	table, err := o.suite().Run(ctx)
	if err != nil {
		return err
	}
	if o.file == "" {
		_, err = io.WriteString(out, o.page(ctx, table))
	} else {
		err = os.WriteFile(o.file, []byte(o.page(ctx, table)), 0o644)
	}
	var behind []string
	for _, r := range table.Behind(peers.Ours) {
		behind = append(behind, r.ID)
	}
	if len(behind) > 0 {
		err = errors.Join(err, fmt.Errorf("%w in %s", errBehind, strings.Join(behind, ", ")))
	}
	return err
}

// suite runs each probe in a process of this program.
func (o order) suite() guarantees.Suite {
	rows := slices.DeleteFunc(guarantees.Rows(), func(r guarantees.Row) bool { return !strings.HasPrefix(r.ID, o.only) })
	// A race takes some microseconds; the bound is far from that.
	limit := 30*time.Second + time.Duration(o.effort.Races*o.effort.Rounds)*time.Millisecond
	return guarantees.Suite{
		Rows: rows, Peers: peers.All(), Limit: limit, Parallel: 4,
		Child: func(ctx context.Context, row string, peer peers.Name) *exec.Cmd {
			return exec.CommandContext(ctx, os.Args[0], "-row="+row, "-peer="+string(peer),
				fmt.Sprint("-races=", o.effort.Races), fmt.Sprint("-rounds=", o.effort.Rounds))
		},
	}
}

// page is the table with what is needed to make it again.
func (o order) page(ctx context.Context, t *guarantees.Table) string {
	if o.commit == "" {
		o.commit = measure.Commit(ctx)
	}
	var b strings.Builder
	b.WriteString(intro)
	fmt.Fprintf(&b, "Commit %s, %s %s/%s, %d processors, GOMAXPROCS %d, by\n\n    cd cache/bench && go run ./cmd/guarantees -races %d -rounds %d -o ../../docs/guarantees.md\n\n",
		o.commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0), o.effort.Races, o.effort.Rounds)
	fmt.Fprintf(&b, "G1 counts over %d × %d keys.\n\n%s\n", o.effort.Rounds, o.effort.Races, t.Markdown())
	if o.only == "" {
		fmt.Fprintf(&b, "## At a glance\n\n%s\n", t.Glance())
	}
	b.WriteString("## The peers\n\n")
	for _, name := range t.Peers {
		fmt.Fprintf(&b, "- %s\n", describe(name))
	}
	return b.String()
}

func describe(name peers.Name) string {
	switch module := peers.Module(name); {
	case name == peers.Ours:
		return "jacquard: the cache of this repository"
	case module == "":
		return fmt.Sprintf("%s of %s: whoever misses creates, LoadOrStore decides", name, peers.Version(name))
	case name == peers.FlightName:
		return fmt.Sprintf("%s: DoChan of `%s` %s in front of xsync.MapOf, with a second look before the creation", name, module, peers.Version(name))
	case name == peers.TTLCacheName:
		return fmt.Sprintf("%s: `%s` %s with its suppressing loader", name, module, peers.Version(name))
	default:
		return fmt.Sprintf("%s: `%s` %s", name, module, peers.Version(name))
	}
}

const intro = `# What caches guarantee

Each line is a question, each column a library, each answer what it did when it was run: package
[guarantees](../cache/bench/guarantees/doc.go) says how. In bold is what the line asks for. "–" means that there is no
call for it; "hangs", that somebody waited for ever; "waits" and numbers above 0 in G7, that calls did not come back
before the slow creation was over.

A library is not wrong because an answer is not bold: most of them promise less, and say so. The lines are what the
[documentation of package cache](../cache/doc.go) promises. That its own promises hold in more schedules than a
machine happens to run is checked by ` + "`make guarantees-long`" + `, and known races of three of the libraries
are shown in [found.md](found.md).

`
