// Package command holds what the commands of this repository share: flags in the go command's
// style, one-line errors that say what was got and what is wanted, exit codes, and progress.
package command
