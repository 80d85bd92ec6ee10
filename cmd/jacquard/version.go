package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/overlay"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of this command and the Go releases that it controls",
		Args:  command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), versions())
			return err
		},
	}
}

// versions returns the versions of this command and of the toolchains that it works with.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return fmt.Sprintf("jacquard %s\nbuilt with %s for %s/%s, controls %s\n", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, overlay.Supported)
}

// versionOf returns the version of the main module, which the go command takes from the module
// proxy or from the tags of the repository.
func versionOf(info *debug.BuildInfo) string {
	if info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
