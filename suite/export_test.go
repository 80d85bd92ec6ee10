package suite

import "context"

// WithBinary is cfg with a test binary that is there already.
func WithBinary(cfg Config, binary string) Config {
	cfg.build = func(context.Context, Package) (string, error) { return binary, nil }
	return cfg
}
