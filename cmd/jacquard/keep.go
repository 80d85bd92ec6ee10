package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
)

func keepCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "keep [TEST]",
		Short: "store the newest failure of a test beside it, to be run first",
		Long: `keep writes the card of a test's newest known failure into the folder testdata/jacquard
of its package, to be committed. Without a test it takes the newest failure of all. The
file's name begins with the test's. jacquard test runs the schedules in that folder before all
others, on every machine.`,
		Example: `  jacquard keep TestWithdraw`,
		Args:    command.Arguments(0, 1, "a test"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(command.Filled(cmd), checkDir(dir)); err != nil {
				return fmt.Errorf("keep: %w", err)
			}
			f, err := suite.Newest(suite.Config{Dir: dir}, strings.Join(args, ""))
			if err != nil {
				return fmt.Errorf("keep: %w", err)
			}
			file, err := suite.Keep(f)
			if err != nil {
				return fmt.Errorf("keep: %w", err)
			}
			if here, err := os.Getwd(); err == nil {
				if short, err := filepath.Rel(here, file); err == nil {
					file = short
				}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: jacquard test runs it before all else\n", file)
			return err
		},
	}
	cmd.Flags().StringVarP(&dir, "C", "C", "", "run in this `folder`")
	return cmd
}
