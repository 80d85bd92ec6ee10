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
	restore func()
}

// capture begins to collect, or only seems to.
func capture(really bool) (*output, error) {
	file, err := scratch()
	if err != nil || !really {
		return &output{file, func() {}}, err
	}
	restore, err := divert(file)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &output{file, restore}, nil
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
	o.restore()
	_ = o.file.Close() // it is temporary
}

// part is a piece of the file.
func (o *output) part(from, n int64) string {
	text := make([]byte, n)
	got, _ := o.file.ReadAt(text, from) // what cannot be read is not there
	return string(text[:got])
}

// scratch makes a file that goes when it is closed.
func scratch() (*os.File, error) {
	file, err := os.CreateTemp("", "jacquard-output-")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}
