// Command outside measures as the command bench does, with an additional column for a
// strategy from outside this module.
package main

import (
	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/strategies"
	"github.com/jacquard-go/jacquard/explore/plug"
	"github.com/jacquard-go/jacquard/internal/command"
)

// program is the package of this command, which is built under control.
const program = "github.com/jacquard-go/jacquard/bench/strategies/outside"

func main() { command.Main(rootCommand()) }

func rootCommand() *cobra.Command {
	root := &cobra.Command{Use: "outside", Short: "measure strategies, one of them from elsewhere"}
	root.AddCommand(strategies.Command(program, plug.New))
	return root
}
