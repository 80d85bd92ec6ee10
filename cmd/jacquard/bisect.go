package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
)

// A bisecting holds the flags and arguments of bisect.
type bisecting struct {
	verifying
	good, bad string
}

func bisectCommand() *cobra.Command {
	var b bisecting
	cmd := &cobra.Command{
		Use:   "bisect [TEST [CARD]] GOOD..BAD [-args ...]",
		Short: "find the commit that brought a failure",
		Long: `bisect uses git bisect to find the first commit between two that has a failure of a
test. It checks out each commit in a folder of its own and judges it as verify does. A
commit is bad if it has the failure. It is good if the test was exhausted without the
failure, or if the card's schedule was followed to its end without it. All other commits
are skipped: those that do not build, have no such test or fail differently, and those
where the schedule cannot be followed and the search was not exhausted. Of N commits
bisect builds about log₂ N, and the two that you name.

The exit code is
  0  the commit was found
  2  it was not: the last lines name the commits that are left`,
		Example: `  jacquard bisect TestWithdraw v1.2.0..main
  jacquard bisect example.com/account.TestWithdraw CARD 3f2c1d0..HEAD`,
		Args: func(cmd *cobra.Command, args []string) error {
			args, b.args = command.Parted(cmd, args)
			return command.Arguments(1, 3, "[TEST [CARD]] GOOD..BAD")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args, _ = command.Parted(cmd, args)
			err := b.built.check(cmd)
			if err == nil {
				err = b.parse(cmd, args)
			}
			if err == nil {
				err = b.run(cmd)
			}
			if err != nil {
				return fmt.Errorf("bisect: %w", err)
			}
			return nil
		},
	}
	b.flags(cmd)
	return cmd
}

// parse reads the arguments and checks the flags.
func (b *bisecting) parse(cmd *cobra.Command, args []string) error {
	last := args[len(args)-1]
	good, bad, ok := strings.Cut(last, "..")
	if !ok || good == "" || bad == "" || strings.HasPrefix(bad, ".") || strings.HasPrefix(last, "-") {
		return fmt.Errorf("got %q, want two commits with .. between them as the last argument, the good one first", last)
	}
	b.good, b.bad = good, bad
	return b.verifying.parse(cmd, args[:len(args)-1])
}

// run runs the command.
func (b *bisecting) run(cmd *cobra.Command) error {
	screen := command.NewScreen(name, cmd.ErrOrStderr())
	defer screen.Clear()
	cfg, err := b.config(screen)
	if err != nil {
		return err
	}
	h := history{ctx: cmd.Context(), dir: cfg.Dir, out: clearing{screen, cmd.OutOrStdout()}}
	remove, err := h.checkOut()
	if err != nil {
		return err
	}
	defer remove()
	cfg.Dir = filepath.Join(h.tree, h.below)
	return h.bisect(b.good, b.bad, func(ctx context.Context) (judgement, string, error) {
		got, err := suite.Verify(ctx, cfg, b.cardOf(cmd))
		return judge(got, err)
	})
}

// A judgement is git bisect's word for a commit.
type judgement string

const (
	good judgement = "good"
	bad  judgement = "bad"
	skip judgement = "skip"
)

// judge returns git bisect's word for a result, and the reason.
func judge(got suite.Verified, err error) (judgement, string, error) {
	switch {
	case errors.Is(err, context.Canceled):
		return "", "", err
	case err != nil:
		return skip, command.OneLine(err.Error()), nil
	case got.State == suite.StillFails:
		return bad, got.State, nil
	case strings.HasPrefix(got.State, "fixed"), strings.HasPrefix(got.State, "not seen") && got.Replayed == "no longer fails":
		return good, got.State, nil
	case got.State == "":
		return skip, why(got), nil
	case len(got.Others) > 0:
		return skip, got.State + ": " + got.Others[0].Message, nil
	}
	return skip, got.State + ", but its schedule cannot be followed", nil
}

// A history is a git repository whose commits are checked out in a separate work tree.
type history struct {
	ctx    context.Context
	dir    string // the command runs there
	tree   string // the root of the work tree
	below  string // path of dir below the repository's root
	out    io.Writer
	judged int
}

// git runs a command of git in a folder.
func (h *history) git(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(h.ctx, "git", args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case h.ctx.Err() != nil:
		return "", context.Cause(h.ctx)
	case errors.As(err, &exit):
		return out.String(), fmt.Errorf("git %s: %s", args[0], command.OneLine(errs.String()+"\n"+out.String()))
	case err != nil:
		return "", err
	}
	return strings.TrimSpace(out.String()), nil
}

// checkOut creates the work tree. remove must be called at the end.
func (h *history) checkOut() (remove func(), err error) {
	if h.below, err = h.git(h.dir, "rev-parse", "--show-prefix"); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "jacquard-bisect-")
	if err != nil {
		return nil, err
	}
	h.tree = filepath.Join(temp, "tree")
	remove = func() {
		late := history{ctx: context.WithoutCancel(h.ctx)}
		_, _ = late.git(h.dir, "worktree", "remove", "--force", h.tree) // git worktree prune removes the rest
		_ = os.RemoveAll(temp)
	}
	if _, err := h.git(h.dir, "worktree", "add", "--detach", h.tree); err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

// A word judges the commit that is checked out.
type word func(context.Context) (judgement, string, error)

// ends checks that a commit at an end of the range is as stated.
func (h *history) ends(is word, name string, want judgement) error {
	if _, err := h.git(h.tree, "checkout", "--detach", name); err != nil {
		return err
	}
	got, why, err := h.judge(is)
	if err == nil && got != want {
		err = fmt.Errorf("%.12s: got a commit that is %s (%s), want one that is %s", name, got, why, want)
	}
	return err
}

// judge judges the commit that is checked out, and prints the result.
func (h *history) judge(is word) (judgement, string, error) {
	j, why, err := is(h.ctx)
	if err != nil {
		return j, why, err
	}
	h.judged++
	commit, err := h.git(h.tree, "log", "-1", "--format=%h %s")
	if err != nil {
		return j, why, err
	}
	_, err = fmt.Fprintf(h.out, "%-4s  %s: %s\n", j, commit, why)
	return j, why, err
}

// firstBad matches git bisect's final line.
var firstBad = regexp.MustCompile(`(?m)^([0-9a-f]{40,64}) is the first bad commit`)

// commit returns the hash of a commit.
func (h *history) commit(name string) (string, error) {
	hash, err := h.git(h.dir, "rev-parse", "--verify", name+"^{commit}")
	if err != nil && h.ctx.Err() == nil {
		return "", fmt.Errorf("got %q, want a commit of this repository: %w", name, err)
	}
	return hash, err
}

// bisect finds the first bad commit.
func (h *history) bisect(goodName, badName string, is word) error {
	first, err := h.commit(goodName)
	if err != nil {
		return err
	}
	last, err := h.commit(badName)
	if err != nil {
		return err
	}
	if err := errors.Join(h.ends(is, last, bad), h.ends(is, first, good)); err != nil {
		return err
	}
	said, err := h.git(h.tree, "bisect", "start", last, first, "--")
	for err == nil {
		if m := firstBad.FindStringSubmatch(said); m != nil {
			commit, err := h.git(h.tree, "log", "-1", "--format=%H%n    %an, %as%n    %s", m[1])
			if err == nil {
				_, err = fmt.Fprintf(h.out, "first bad commit: %s\n    %d commits were built\n", commit, h.judged)
			}
			return err
		}
		var j judgement
		if j, _, err = h.judge(is); err == nil {
			said, err = h.git(h.tree, "bisect", string(j))
		}
	}
	if _, left, ok := strings.Cut(err.Error(), "could be any of:"); ok {
		return fmt.Errorf("it is one of these commits, some of which were skipped: %s", strings.Join(hashes.FindAllString(left, -1), ", "))
	}
	return err
}

// hashes matches commits in git's output.
var hashes = regexp.MustCompile(`\b[0-9a-f]{40,64}\b`)
