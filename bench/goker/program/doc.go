// Package program makes programs from the GoKer kernels of a Go installation, and
// builds them under control.
package program
