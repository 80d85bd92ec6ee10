package guarantees

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/bench/peers"
	"github.com/jacquard-go/jacquard/internal/command"
)

// An order holds the options of the command line.
type order struct {
	effort    Effort
	only      string
	page      measure.Page
	row, peer string // of the single probe of this process
}

// Command writes docs/guarantees.md.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "guarantees",
		Short: "ask the cache and seven others what they guarantee",
		Long: `guarantees asks the cache of this repository, and those that it is compared with,
what they guarantee. The exit status is 0 only if no other is better than ours in any
row.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.effort.Races < 1 || o.effort.Rounds < 1 {
				return fmt.Errorf("got %d races and %d rounds, want at least 1 of each", o.effort.Races, o.effort.Rounds)
			}
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.effort.Races, "races", 4000, "have eight goroutines race for `n` keys a round")
	f.IntVar(&o.effort.Rounds, "rounds", 1, "run `n` rounds of races")
	f.StringVar(&o.only, "only", "", "only the rows whose ID begins with this `prefix`")
	o.page.Flags(cmd)
	f.StringVar(&o.row, "row", "", "for this command's own use: the row of the one probe to run")
	f.StringVar(&o.peer, "peer", "", "for this command's own use: the peer of that probe")
	for _, own := range []string{"row", "peer"} {
		f.Lookup(own).Hidden = true
	}
	return cmd
}

// errBehind says that a peer is better than ours.
var errBehind = errors.New("a peer is better")

// run probes all peers, each probe in a process of its own, and writes the page. With a row
// it is one of these processes.
func (o order) run(ctx context.Context, out io.Writer) error {
	if o.row != "" {
		return Serve(out, o.row, func() (peers.Cache[string, *Object], error) {
			return peers.Open[string, *Object](peers.Name(o.peer), o.effort.Races)
		}, o.effort)
	}
	table, err := o.suite().Run(ctx)
	if err != nil {
		return err
	}
	if err := o.page.Write(out, o.text(ctx, table)); err != nil {
		return err
	}
	var behind []string
	for _, r := range table.Behind(peers.Ours) {
		behind = append(behind, r.ID)
	}
	if len(behind) > 0 {
		return command.Wrong(fmt.Errorf("%w in %s", errBehind, strings.Join(behind, ", ")))
	}
	return nil
}

// suite runs each probe in a process of this program.
func (o order) suite() Suite {
	rows := slices.DeleteFunc(Rows(), func(r Row) bool { return !strings.HasPrefix(r.ID, o.only) })
	// A race takes some microseconds; the bound is much longer.
	limit := 30*time.Second + time.Duration(o.effort.Races*o.effort.Rounds)*time.Millisecond
	return Suite{
		Rows: rows, Peers: peers.All(), Limit: limit, Parallel: 4,
		Child: func(ctx context.Context, row string, peer peers.Name) *exec.Cmd {
			return exec.CommandContext(ctx, os.Args[0], "guarantees", "-row="+row, "-peer="+string(peer),
				fmt.Sprint("-races=", o.effort.Races), fmt.Sprint("-rounds=", o.effort.Rounds))
		},
	}
}

// text returns the table, and the information that is needed to make it again.
func (o order) text(ctx context.Context, t *Table) string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString(o.page.Made(ctx))
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
[guarantees](../bench/guarantees/doc.go) says how. In bold is what the line asks for. "–" means that there is no
call for it; "hangs", that somebody waited for ever; "waits" and numbers above 0 in G7, that calls did not come back
before the slow creation was over.

A library is not wrong because an answer is not bold: most of them promise less, and say so. The lines are what the
[documentation of package cache](../cache/doc.go) promises. That its own promises hold in more schedules than a
machine happens to run is checked by ` + "`make guarantees-long`" + `, and known races of three of the libraries
are shown in [found.md](found.md).

`
