package suite

import (
	"cmp"
	"context"
	"errors"

	"github.com/jacquard-go/jacquard"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A builder makes the test binary of a package and returns its path.
type builder func(ctx context.Context, p listed) (binary string, err error)

// toolchain is the builder that is used. As go test, it builds no package that go
// vet objects to.
func (c Config) toolchain(ctx context.Context, p listed) (string, error) {
	req := toolchain.Request{
		Dir: c.Dir, Package: p.ImportPath, Test: true, Guest: jacquard.Source(),
		Tags: c.Tags, Flags: c.BuildFlags, NoRace: c.NoRace, Cache: c.Cache, Progress: c.Progress,
	}
	if c.Vet != VetOff {
		req.Vet = cmp.Or(c.Vet, vetted)
		req.Check = func(ctx context.Context) error { return c.vet(ctx, p) }
	}
	return toolchain.Build(ctx, req)
}

// A program is the test binary of a package, or why there is none.
type program struct {
	listed
	binary string
	err    error
}

// builds builds the programs of packages, in their order, one ahead of who takes
// them. The channel is closed after the last, or when ctx ends.
func (c Config) builds(ctx context.Context, pkgs []listed) <-chan program {
	built := make(chan program)
	go func() {
		defer close(built)
		for _, p := range pkgs {
			b := program{listed: p}
			if p.tests() || p.broken() && p.Error == nil {
				b.binary, b.err = c.build(ctx, p)
			}
			if p.Error != nil && b.err == nil {
				b.err = errors.New(p.Error.Err)
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
