// Command jacquard runs a module's tests under many schedules and replays the ones
// that fail. See jacquard -h.
package main

import (
	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
)

// name is the command's name in its output.
const name = "jacquard"

func main() { command.Main(rootCommand()) }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: name,
		// -version does the same as the subcommand.
		Version: versions(),
		Short:   "find concurrency bugs with the tests that you have, and replay them",
		Long: `Jacquard runs the tests of a Go module under many schedules, finds the one that breaks
a test, and replays it. Begin with

  jacquard test ./...

It takes the flags of go test. jacquard doctor checks whether goroutines can be controlled.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return command.Unknown(cmd, args[0])
		},
	}
	root.SetVersionTemplate("{{.Version}}")
	root.AddCommand(testCommand(), ciCommand(), mergeCommand(), replayCommand(), huntCommand(), keepCommand(), verifyCommand(), bisectCommand(), cacheCommand(), doctorCommand(), versionCommand())
	return root
}
