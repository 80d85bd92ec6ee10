// Package lines keeps what a process of a soak has done, a line of JSON each, so that it outlives
// the process: each line is written by one system call, and what the system has taken
// survives a SIGKILL. Only the last line can be torn by it.
package lines

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Create makes a file for lines, which is not to be there yet.
func Create(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_WRONLY, 0o600)
}

// Write appends a line.
func Write(to io.Writer, line any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = to.Write(append(text, '\n'))
	}
	return err
}

// Read gives each the lines of a file, one after the other, until it returns an error. A torn
// line is none.
func Read[T any](name string, each func(*T) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() // was only read
	for in := bufio.NewReader(f); ; {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what is before it, if anything, is torn
		}
		if err != nil {
			return err
		}
		line := new(T)
		if err := json.Unmarshal(text, line); err != nil {
			return fmt.Errorf("%s: %w in %q", name, err, text)
		}
		if err := each(line); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}
