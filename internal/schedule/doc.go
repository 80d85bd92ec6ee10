// Package schedule has what a schedule is made of, as plain data: the points at which
// one is decided, choices, steps, the operations that steps make and whether their
// order can matter. It imports nothing of this module.
package schedule
