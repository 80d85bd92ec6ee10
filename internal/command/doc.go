// Package command is what the commands of this repository have in common: flags as
// the go command has them, errors in one line that say what was got and what is
// wanted, exit codes, and progress.
package command
