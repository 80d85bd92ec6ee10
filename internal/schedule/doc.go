// Package schedule defines the parts of a schedule as plain data: decision points,
// choices, steps, the operations that steps make, and whether the order of two
// operations can matter. It imports nothing of this module.
package schedule
