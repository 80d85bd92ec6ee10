//go:build !unix

package postgres

import (
	"fmt"
	"os/exec"
)

type owner struct{}

func serverOwner() (owner, error) {
	return owner{}, fmt.Errorf("%w: a throw-away server needs Unix; set %s", ErrMissing, DSN)
}

func (owner) give(string) error { return nil }

func (owner) run(*exec.Cmd) {}
