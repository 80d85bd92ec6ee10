package guest

import (
	"fmt"
	"io"
	"os"
)

// mostOutput bounds the kept output of a schedule, in bytes: half of the beginning and half of the
// end.
const mostOutput = 1 << 16

// An output captures what the process writes to its standard output and error during schedules. It
// goes to a file, which is emptied for each schedule.
type output struct {
	file    *os.File
	path    string  // of the file; empty if it has none
	streams streams // during the capture
	restore func()
}

// capture starts capturing, or only makes the output if really is false. The file has a path if the
// output of a dying process is needed.
func capture(path string, really bool) (*output, error) {
	file, err := named(path)
	if err != nil {
		return nil, err
	}
	restore := func() {}
	if really {
		if restore, err = divert(file, path == ""); err != nil {
			_ = file.Close()
			return nil, err
		}
	}
	return &output{file, path, currentStreams(), restore}, nil
}

// begin begins a schedule, for which both streams are as they were for the first.
func (o *output) begin() {
	o.put()
	o.clear()
}

// put undoes changes that a test has made to the streams.
func (o *output) put() {
	if !o.streams.whole() {
		_ = redivert(o.file) // on an error the output is lost
		o.streams = o.streams.renewed()
	}
	o.streams.put()
}

// clear empties the file.
func (o *output) clear() {
	_ = o.file.Truncate(0) // on an error old output would only be seen twice
	_, _ = o.file.Seek(0, io.SeekStart)
}

// text returns what was written since, shortened.
func (o *output) text() string {
	size, err := o.file.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	if size <= mostOutput {
		return o.part(0, size)
	}
	const half = mostOutput / 2
	return o.part(0, half) + "\n… " + fmt.Sprint(size-mostOutput) + " bytes more …\n" + o.part(size-half, half)
}

// all returns all that was written.
func (o *output) all() string {
	size, _ := o.file.Seek(0, io.SeekEnd)
	return o.part(0, size)
}

// end restores the standard output and error.
func (o *output) end() {
	o.put()
	o.restore()
	_ = o.file.Close() // temporary
	if o.path != "" {
		_ = os.Remove(o.path)
	}
}

// part returns a piece of the file.
func (o *output) part(from, n int64) string {
	text := make([]byte, n)
	got, _ := o.file.ReadAt(text, from) // on an error the piece is shorter
	return string(text[:got])
}

// named creates the file of a path, or a nameless one.
func named(path string) (*os.File, error) {
	if path == "" {
		return scratch()
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// scratch creates a file that is removed when it is closed.
func scratch() (*os.File, error) {
	file, err := os.CreateTemp("", "jacquard-output-")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}
