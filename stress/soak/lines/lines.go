// Package lines records what a process of a soak has done, as lines of JSON that outlive the
// process: each line is written by one system call, and its data survives a SIGKILL. Only the last
// line can be torn by the kill.
package lines

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Create creates a file for lines. The file must not exist.
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

// Read calls each for every line of a file, in order, until it returns an error. A torn line is
// ignored.
func Read[T any](name string, each func(*T) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() // the file was only read
	for in := bufio.NewReader(f); ; {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // text, if any, is a torn line
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
