//go:build !unix

package main

import "os"

// askToEnd ends a worker, which cannot be asked here.
func askToEnd(p *os.Process) error { return p.Kill() }
