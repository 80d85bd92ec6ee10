package goker

import (
	"context"
	"fmt"
	"io"

	"github.com/jacquard-go/jacquard/bench/goker/program"
)

// forms are the programs that the kernels are built into.
type forms struct {
	short *program.Program // each with one round; see cuts.go
	whole *program.Program // unchanged; nil if not wanted
	twins *program.Program // the corrected ones; nil if there are none
	lost  *program.Program // those that need a repair, each with one round and without it
}

// build builds all kernels in each form.
func (o order) build(ctx context.Context, kernels []program.Kernel, log io.Writer) (*forms, error) {
	var short, whole, right, lost []program.Kernel
	if o.whole {
		whole = kernels
	}
	for _, k := range kernels {
		s, err := shortened(k)
		if err != nil {
			return nil, err
		}
		short = append(short, s)
		if _, ok := repairs()[k.Name]; ok {
			lost = append(lost, k.Times(rounds(k.Name)))
		}
		if t, ok := twins()[k.Name]; ok {
			if s, err = s.With(t.edits...); err != nil {
				return nil, err
			}
			right = append(right, s)
		}
	}
	f := new(forms)
	for _, p := range []struct {
		into    **program.Program
		kernels []program.Kernel
		what    string
	}{{&f.short, short, "kernels, each once"}, {&f.whole, whole, "kernels as they stand"}, {&f.twins, right, "corrected kernels"}, {&f.lost, lost, "kernels, not repaired"}} {
		if len(p.kernels) == 0 {
			continue
		}
		fmt.Fprintf(log, "building %d %s\n", len(p.kernels), p.what)
		var err error
		if *p.into, err = program.Build(ctx, ".", p.kernels, o.race); err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

func (f *forms) close() {
	for _, p := range []*program.Program{f.short, f.whole, f.twins, f.lost} {
		if p != nil {
			p.Close()
		}
	}
}
