package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of this command and the Go releases that it controls",
		Args:  arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = new(debug.BuildInfo)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "jacquard %s\nbuilt with %s for %s/%s, controls %s\n",
				versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, overlay.Supported)
			return err
		},
	}
}

// versionOf is the version of the main module: the go command takes it from the
// module proxy or from the tags of the repository.
func versionOf(info *debug.BuildInfo) string {
	if info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
