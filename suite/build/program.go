package build

import (
	"cmp"
	"context"
	"errors"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A Builder builds the test binary of a package and returns its path.
type Builder func(ctx context.Context, p Package) (binary string, err error)

// Toolchain is the default [Builder]. Like go test, it does not build a package that go vet
// rejects.
func (h How) Toolchain(ctx context.Context, p Package) (string, error) {
	req := toolchain.Request{
		Dir: h.Dir, Package: p.ImportPath, Test: true, Guest: jacquard.Source(),
		Tags: h.Tags, Flags: h.Flags, NoRace: h.NoRace, Cache: h.Cache, Progress: h.Progress,
	}
	if h.Vet != VetOff {
		req.Vet = cmp.Or(h.Vet, vetted)
		req.Check = func(ctx context.Context) error { return h.vet(ctx, p) }
	}
	return toolchain.Build(ctx, req)
}

// A Program is the test binary of a package, or the error of building it.
type Program struct {
	Package
	Binary string
	Err    error
}

// Programs builds the packages with the builder, in their order, one ahead of the receiver. The
// channel is closed after the last one, or when ctx ends.
func Programs(ctx context.Context, build Builder, pkgs []Package) <-chan Program {
	built := make(chan Program)
	go func() {
		defer close(built)
		for _, p := range pkgs {
			b := Program{Package: p}
			if p.Tests() || p.Broken() && p.Error == nil {
				b.Binary, b.Err = build(ctx, p)
			}
			if p.Error != nil && b.Err == nil {
				b.Err = errors.New(p.Error.Err)
			}
			select {
			case built <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return built
}
