// Command bench measures the packages of this repository, and writes the pages of docs and
// the tables of BENCHMARKS.md. It runs in this module, the folder bench of a checkout:
//
//	cd bench && go run ./cmd/bench
package main

import (
	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench"
	"github.com/jacquard-go/jacquard/bench/explored"
	"github.com/jacquard-go/jacquard/bench/flakes"
	"github.com/jacquard-go/jacquard/bench/goker"
	"github.com/jacquard-go/jacquard/bench/guarantees"
	"github.com/jacquard-go/jacquard/bench/hunted"
	"github.com/jacquard-go/jacquard/bench/mutations"
	"github.com/jacquard-go/jacquard/bench/speed"
	"github.com/jacquard-go/jacquard/bench/strategies"
	"github.com/jacquard-go/jacquard/internal/command"
)

func main() { command.Main(rootCommand()) }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "measure what is in this repository, and write its pages",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return command.Unknown(cmd, args[0])
		},
	}
	root.AddCommand(goker.Command(), flakes.Command(), strategies.Command(bench.Program), strategies.SCTBench(bench.Program), speed.Command(), guarantees.Command(), explored.Command(), mutations.Command(), hunted.Command())
	return root
}
