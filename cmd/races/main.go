// Command races shows the documented races in a checkout of Jacquard: reproduced as
// reported, under the suggested fix, and fixed. See go run ./cmd/races -h.
package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
)

// name is what the command is called in what it prints.
const name = "races"

// invocation starts it from a checkout.
const invocation = "go run ./cmd/races"

func main() { command.Main(rootCommand(everything())) }

// rootCommand is the table itself, with what else there is to know of the races.
func rootCommand(shown show) *cobra.Command {
	root := &cobra.Command{
		Use:   name,
		Short: "show every documented race as reported, under the suggested fix, and in ours",
		Long: `races explores R1 to R7 in three columns: the code as the reports describe it, the
same with the fix that the report suggests, and package lifecycle; then N1 to N10,
the related races in the same code, with a dash where no suggested fix
touches it. It first checks itself on planted bugs. It exits with 0 only if every
verdict is what it must be.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return command.Unknown(cmd, args[0])
			}
			if shown.seed == 0 {
				return fmt.Errorf("-seed: got 0, want at least 1")
			}
			if shown.timed && !shown.json {
				return errors.New("-timed: got it without -json, to which it adds")
			}
			return shown.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	root.Flags().BoolVar(&shown.json, "json", false, "print one JSON object instead of a table")
	root.Flags().BoolVar(&shown.timed, "timed", false, "with -json, add the seconds that each cell took, which no two runs have alike")
	root.Flags().Uint64Var(&shown.seed, "seed", 1, "make every random choice by the seed `n`; the same seed prints the same cards")
	root.AddCommand(replayCommand(), stressCommand(), soakCommand(), workCommand())
	return root
}
