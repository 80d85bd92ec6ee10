// Package program makes programs of the GoKer kernels that a Go installation
// has, and builds them under control.
package program
