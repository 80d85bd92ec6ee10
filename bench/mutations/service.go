package mutations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
)

// A comparison finds out which instrument finds which mutation of the shipped packages.
type comparison struct {
	tree      string
	dir       string   // of the copy; empty is a temporary one
	names     []string // of the mutations, or words of them; an empty name is all
	with      []string // the instruments; empty is all
	schedules int      // of a scenario; 0 is the default number
	stress    time.Duration
	fuzz      string // time for each target, or a number of inputs
	soak      time.Duration
	norace    bool
	short     bool
	limit     time.Duration
	page      measure.Page
}

// foundCommand returns a subcommand of Command.
func foundCommand() *cobra.Command {
	var s comparison
	cmd := &cobra.Command{
		Use:   "found [NAME[, NAME] …]",
		Short: "break the cache and the plan service: which instrument finds what",
		Long: `found makes the changes of the cache and of the plan service with these words in their
name, or with those behind a comma, or all of them, in a copy of the tree, and has the instruments look for each:
features, stress, fuzz, soak, and the tests of lifecycle/explored and cache/explored. Each looks in the same
place of the tree without a change first: what is wrong there anyway is not found. What
is in the page already and is not asked for stays there; so do several pages, of runs with
other instruments, one behind the other in its file. The exit status is 0 only if
everything was found that an instrument was asked for.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.names = strings.Split(strings.Join(args, " "), ",")
			return s.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&s.tree, "tree", "..", "the root of the `checkout`")
	cmd.Flags().StringVar(&s.dir, "dir", "", "keep the copy in this `folder`: the next run builds what has changed")
	cmd.Flags().StringSliceVar(&s.with, "with", nil, "ask these `instruments` (default all)")
	cmd.Flags().IntVar(&s.schedules, "schedules", 0, "run `n` schedules of each scenario (default as many as is usual)")
	cmd.Flags().DurationVar(&s.stress, "stress", 3*time.Minute, "stress for this `time`")
	cmd.Flags().StringVar(&s.fuzz, "fuzz", "60s", "fuzz each target for this `time`, or with so many inputs, as 400x")
	cmd.Flags().DurationVar(&s.soak, "soak", 30*time.Second, "soak for this `time`")
	cmd.Flags().BoolVar(&s.norace, "norace", false, "build features and lifecycle/explored without the race detector")
	cmd.Flags().BoolVar(&s.short, "short", false, "run features and lifecycle/explored with -short")
	cmd.Flags().DurationVar(&s.limit, "limit", 20*time.Minute, "give an instrument up after this `time`")
	s.page.Flags(cmd)
	return cmd
}

func (s comparison) run(ctx context.Context, out, progress io.Writer) error {
	for _, name := range s.with {
		if !slices.ContainsFunc(instruments, func(i instrument) bool { return i.name == name }) {
			return fmt.Errorf("-with: got %q, want one of %s", name, strings.Join(names(), ", "))
		}
	}
	dir, remove, err := s.copy()
	if err != nil {
		return err
	}
	defer remove()
	known, err := s.known()
	if err != nil {
		return err
	}
	b := &rig{comparison: s, dir: dir, binaries: make(map[string]string), baselines: make(map[[2]string]cell)}
	s.page.Commit = s.page.Of(ctx) // before writing the page changes the checkout
	missed, tried := 0, 0
	for i, m := range shipped {
		if !slices.ContainsFunc(s.names, func(words string) bool { return m.called(strings.TrimSpace(words)) }) {
			continue
		}
		tried++
		for j, look := range instruments {
			if len(s.with) > 0 && !slices.Contains(s.with, look.name) {
				continue
			}
			c, err := b.ask(ctx, look, m, i+1)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", m.name, look.name, err)
			}
			if c != nowhere && !c.found() {
				missed++
			}
			known[i].note(j, c, s.page.Commit)
			fmt.Fprintf(progress, "%s · %s: %s\n", m.name, look.name, c)
			if s.page.File != "" { // so that an interrupted run has written its results
				if err := s.page.Write(out, s.told(ctx, known)); err != nil {
					return err
				}
			}
		}
	}
	if tried == 0 {
		return fmt.Errorf("no mutation is called %q", s.names)
	}
	if s.page.File == "" {
		if err := s.page.Write(out, s.told(ctx, known)); err != nil {
			return err
		}
	}
	if missed > 0 {
		return command.Wrong(fmt.Errorf("%d times: %w", missed, errUnnoticed))
	}
	return nil
}

// copy makes the copy of the tree with all mutations in it.
func (s comparison) copy() (dir string, remove func(), err error) {
	dir, remove = s.dir, func() {}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "jacquard-mutations-"); err != nil {
			return "", nil, err
		}
		remove = func() { _ = os.RemoveAll(dir) } // it is the system's folder for such things
	}
	if err = copyTree(dir, s.tree); err == nil {
		err = mutate(dir, changes())
	}
	return dir, remove, err
}

// changes are the mutations of what ships.
func changes() []mutation {
	all := make([]mutation, len(shipped))
	for i, m := range shipped {
		all[i] = m.mutation
	}
	return all
}

func names() []string {
	all := make([]string, len(instruments))
	for i, look := range instruments {
		all[i] = look.name
	}
	return all
}

// A rig is the mutated tree with what was built of it.
type rig struct {
	comparison
	dir       string
	binaries  map[string]string
	baselines map[[2]string]cell // by instrument and where it looks
}

// ask has an instrument look for a mutation, once it has looked in the same place
// without one.
func (b *rig) ask(ctx context.Context, look instrument, m broken, number int) (cell, error) {
	where := look.where(m)
	if where == "" {
		return nowhere, nil
	}
	binary, err := look.build(b, ctx)
	if err != nil {
		return "", err
	}
	place := [2]string{look.name, where}
	before, asked := b.baselines[place]
	if !asked {
		if before, err = b.look(ctx, look, binary, m, 0); err != nil {
			return "", fmt.Errorf("without the mutation: %w", err)
		}
		b.baselines[place] = before
	}
	switch {
	case before == givenUp:
		return givenUp, nil
	case before != notFound:
		return redBefore + before, nil
	}
	return b.look(ctx, look, binary, m, number)
}

// look has an instrument look at the tree with the mutation of a number, 0 is none.
func (b *rig) look(ctx context.Context, look instrument, binary string, m broken, number int) (cell, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	why, err := look.ask(ctx, b, binary, m, fmt.Sprint(mutantEnv, "=", number))
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return givenUp, nil // it may be the machine
	case err != nil:
		return "", err
	case why == "":
		return notFound, nil
	}
	return found(why, time.Since(began)), nil
}

// run runs a program in a folder of the tree with a mutation, and returns what it
// writes, and whether it ends well.
func (b *rig) run(ctx context.Context, folder, mutant string, env []string, program string, args ...string) (text string, ok bool, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = filepath.Join(b.dir, folder), append(append(os.Environ(), env...), mutant)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	all, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return "", false, err
	}
	return string(all), err == nil, nil
}

// program builds a command of the tree once.
func (b *rig) program(ctx context.Context, pkg string, flags ...string) (string, error) {
	return b.built(pkg, func() (string, error) {
		to := filepath.Join(b.dir, "built-"+filepath.Base(pkg))
		cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", to}, flags, []string{pkg})...)
		cmd.Dir = b.dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", pkg, err, text)
		}
		return to, nil
	})
}

func (b *rig) built(what string, build func() (string, error)) (string, error) {
	if at := b.binaries[what]; at != "" {
		return at, nil
	}
	at, err := build()
	if err == nil {
		b.binaries[what] = at
	}
	return at, err
}
