package child

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Wire makes a Conn from two streams.
type Wire func(in io.Reader, out io.Writer) *Conn

// A Conn carries messages. One goroutine may send while another one receives.
type Conn struct {
	encode, decode func(any) error
}

// Send sends a value.
func (c *Conn) Send(v any) error { return c.encode(v) }

// Receive waits for the next value. The error is [io.EOF] if the other side has hung up
// or is dead, and [io.ErrUnexpectedEOF] if that happened within a message. After a
// [*Garbled] there may be more messages.
func (c *Conn) Receive(v any) error { return c.decode(v) }

// Gob encodes values by package gob: fast, and only for processes of the same
// program.
func Gob(in io.Reader, out io.Writer) *Conn {
	return &Conn{encode: gob.NewEncoder(out).Encode, decode: gob.NewDecoder(in).Decode}
}

// mostLine bounds a message of Lines, in bytes.
const mostLine = 64 << 20

// ErrTooLong means that a line is too long to be a message.
var ErrTooLong = fmt.Errorf("child: a message of more than %d bytes", mostLine)

// A Garbled is a line that is no message, usually written by the program under
// test.
type Garbled struct {
	Line []byte
	Err  error
}

func (g *Garbled) Error() string {
	return fmt.Sprintf("it said %.60q, want JSON: %v", g.Line, g.Err)
}

func (g *Garbled) Unwrap() error { return g.Err }

// Lines encodes values as JSON, one per line, and writes each line in one call.
func Lines(in io.Reader, out io.Writer) *Conn {
	r := bufio.NewReader(in)
	return &Conn{
		encode: func(v any) error {
			line, err := json.Marshal(v)
			if err != nil {
				return err
			}
			_, err = out.Write(append(line, '\n'))
			return err
		},
		decode: func(v any) error {
			line, err := readLine(r)
			if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
				return err
			}
			wrong := json.Unmarshal(line, v)
			switch {
			case wrong != nil && err != nil:
				return io.ErrUnexpectedEOF
			case wrong != nil:
				return &Garbled{Line: line, Err: wrong}
			}
			return nil
		},
	}
}

// readLine reads a line of bounded length, including its newline.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > mostLine:
			return nil, ErrTooLong
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}
