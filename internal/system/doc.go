// Package system has what executions need of the system that they run on: temporary
// directories whose paths are the same in every process, and who is at the other end
// of a descriptor.
package system
