package main

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

func cacheCommand() *cobra.Command {
	prune := false
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "show how large the cache folder is, or remove what was not used for a day",
		Long: `cache prints where Jacquard's cache folder is and how large its parts are. It has
built test binaries and overlays of the Go runtime, which are quickly made again from Go's
build cache. What was explored and found is small, and is all that is worth keeping
between runs in CI. JACQUARD_CACHE moves the folder.

What was built and not used for five days is removed by itself. -prune removes what was
not used for a day, but nothing that may be in use.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if prune {
				if err := toolchain.Prune(cmd.Context(), "", time.Now()); err != nil {
					return fmt.Errorf("cache: %w", err)
				}
			}
			return named("cache", contents(cmd.OutOrStdout()))
		},
	}
	cmd.Flags().BoolVar(&prune, "prune", false, "remove what was built and not used for a day")
	return cmd
}

// contents prints the sizes of the cache folder's parts.
func contents(out io.Writer) error {
	dir, err := toolchain.CacheDir("")
	if err != nil {
		return err
	}
	built, err := toolchain.Size(dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\nbuilt     %8.1f MB\nexplored  %8.1f MB\nfound     %8.1f MB\n", dir, mega(built), mega(sizeOf(filepath.Join(dir, "explored"))), mega(sizeOf(filepath.Join(dir, "failed"))))
	return err
}

func mega(bytes int64) float64 { return float64(bytes) / 1e6 }

// sizeOf returns the size of the files in a folder, in bytes.
func sizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it may not exist, or no longer
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
