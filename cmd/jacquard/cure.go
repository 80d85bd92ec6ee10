package main

import (
	"errors"
	"fmt"

	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// ailments are the errors that can make control impossible, each with a remedy.
var ailments = []struct {
	is   error
	cure string
}{
	{toolchain.ErrNoGo, "install Go from https://go.dev/dl and put its bin folder into PATH"},
	{toolchain.ErrNoModules, "unset GO111MODULE, or set it to on"},
	{toolchain.ErrNoCompiler, "install gcc or clang, or name another compiler in CC; jacquard test -race=false needs none, but sees no data races"},
	{toolchain.ErrCache, "name a folder in JACQUARD_CACHE that can be written and has room"},
	{toolchain.ErrNoRace, "jacquard test -race=false needs no race detector, but sees no data races"},
	{toolchain.ErrNewerGo, "install that release from https://go.dev/dl, or have the go command fetch it: GOTOOLCHAIN=auto"},
	{overlay.ErrUnsupported, "control works with " + overlay.Supported + " on amd64 and arm64, for programs that run on this machine; GOTOOLCHAIN chooses a release"},
}

// cure returns the remedy for an error, or "".
func cure(err error) string {
	for _, a := range ailments {
		if errors.Is(err, a.is) {
			return a.cure
		}
	}
	var anchor *overlay.AnchorError
	if errors.As(err, &anchor) {
		return "this Go is not as it was released; GOTOOLCHAIN chooses another"
	}
	return ""
}

// withCure adds the remedy to an error.
func withCure(err error) error {
	if c := cure(err); c != "" {
		return fmt.Errorf("%w; %s", err, c)
	}
	return err
}
