package guest

import (
	"fmt"
	"io"
	"os"
)

// mostOutput is how much of what a schedule writes is kept, in bytes: the
// beginning and the end.
const mostOutput = 1 << 16

// An output is what the process writes to its standard output and error while
// it runs schedules. It goes to a file, each schedule anew.
type output struct {
	file    *os.File
	path    string  // of the file; empty if it has none
	streams streams // while it collects
	restore func()
}

// capture begins to collect, or only seems to. The file has a path if somebody
// wants to know what a process that dies has written.
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

// begin begins a schedule, to which both streams are as they were to the first.
func (o *output) begin() {
	o.put()
	o.clear()
}

// put undoes what a test has done to the streams.
func (o *output) put() {
	if !o.streams.whole() {
		_ = redivert(o.file) // then what is written is lost
		o.streams = o.streams.renewed()
	}
	o.streams.put()
}

// clear forgets what was written.
func (o *output) clear() {
	_ = o.file.Truncate(0) // what is left would be seen twice, and not more
	_, _ = o.file.Seek(0, io.SeekStart)
}

// text is what was written since.
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

// all is the whole of it.
func (o *output) all() string {
	size, _ := o.file.Seek(0, io.SeekEnd)
	return o.part(0, size)
}

// end puts the standard output and error back.
func (o *output) end() {
	o.put()
	o.restore()
	_ = o.file.Close() // it is temporary
	if o.path != "" {
		_ = os.Remove(o.path)
	}
}

// part is a piece of the file.
func (o *output) part(from, n int64) string {
	text := make([]byte, n)
	got, _ := o.file.ReadAt(text, from) // what cannot be read is not there
	return string(text[:got])
}

// named makes the file of a path, or one without.
func named(path string) (*os.File, error) {
	if path == "" {
		return scratch()
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// scratch makes a file that goes when it is closed.
func scratch() (*os.File, error) {
	file, err := os.CreateTemp("", "jacquard-output-")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}
