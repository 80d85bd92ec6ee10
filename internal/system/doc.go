// Package system provides what executions need of the operating system: temporary
// directories whose paths are the same in every process, and whether tasks have the
// other end of a descriptor.
package system
