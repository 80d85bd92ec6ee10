package child

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Wire makes a Conn of two streams.
type Wire func(in io.Reader, out io.Writer) *Conn

// A Conn carries messages. One goroutine may send while another receives.
type Conn struct {
	encode, decode func(any) error
}

// Send sends a value.
func (c *Conn) Send(v any) error { return c.encode(v) }

// Receive waits for the next value. The error is [io.EOF] if the other side has
// hung up or is dead, and [io.ErrUnexpectedEOF] if that was in the middle of a
// message. After a [*Garbled] there may be more.
func (c *Conn) Receive(v any) error { return c.decode(v) }

// Gob carries values as package gob does: quick, and for processes of one program
// only.
func Gob(in io.Reader, out io.Writer) *Conn {
	return &Conn{encode: gob.NewEncoder(out).Encode, decode: gob.NewDecoder(in).Decode}
}

// mostLine bounds a message of Lines.
const mostLine = 64 << 20

// ErrTooLong says that a line has too many bytes to be a message.
var ErrTooLong = fmt.Errorf("child: a message of more than %d bytes", mostLine)

// A Garbled is a line that is no message. As a rule the program under test has
// written it.
type Garbled struct {
	Line []byte
	Err  error
}

func (g *Garbled) Error() string {
	return fmt.Sprintf("it said %.60q, want JSON: %v", g.Line, g.Err)
}

func (g *Garbled) Unwrap() error { return g.Err }

// Lines carries values as JSON, each in a line and each line written in one call.
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

// readLine reads a line of bounded length, with its end.
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
