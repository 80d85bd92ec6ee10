package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/suite"
)

// A building is how test binaries are built. A card is for one way of it.
type building struct {
	race bool
	tags string
}

func (b *building) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.race, "race", true, "build tests with the race detector")
	cmd.Flags().StringVar(&b.tags, "tags", "", "build tests with these `tags`, with commas")
}

// set puts it into a configuration.
func (b building) set(cfg *suite.Config) {
	cfg.NoRace = !b.race
	cfg.Command = calledAs(os.Args[0])
	if b.tags != "" {
		cfg.Tags = strings.Split(b.tags, ",")
	}
}

// calledAs is how to call this command again, whose first argument was this one:
// go run and go tool put it where it is not called directly.
func calledAs(arg0 string) string {
	switch dir := filepath.ToSlash(filepath.Dir(arg0)); {
	case !strings.Contains(dir, "/go-build"):
		return arg0
	case path.Base(dir) == "exe":
		return "go run " + program
	}
	return "go tool " + filepath.Base(arg0)
}
