package executable

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// fingerprintLen is the number of hexadecimal digits in a fingerprint: enough
// to distinguish programs, but not against forgery.
const fingerprintLen = 16

// Fingerprint returns 16 hexadecimal digits that identify the program in a
// binary. The same source built by [Build] with the same toolchain has the
// same fingerprint whatever directory, cache or process it was built in; any
// change to the program gives another one.
//
// It is a hash of the content part of the build ID that the go command writes
// into an ELF file, which is quick to read. For other files it is a hash of
// all their bytes.
func Fingerprint(path string) (string, error) {
	h := sha256.New()
	id, err := contentID(path)
	if err != nil {
		return "", fmt.Errorf("fingerprint: %w", err)
	}
	if id != "" {
		fmt.Fprint(h, id)
	} else if err := copyFile(h, path); err != nil {
		return "", fmt.Errorf("fingerprint: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil))[:fingerprintLen], nil
}

func copyFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// contentID returns the part of the build ID that the go command computes from
// the contents of the linked file; "" if there is none. A build ID has four
// parts: the hashes of the inputs and the contents of the main package, between those
// of the file. A build ID of another form was set by the user, and identifies nothing.
func contentID(path string) (string, error) {
	f, err := elf.Open(path)
	var format *elf.FormatError
	switch {
	case errors.As(err, &format), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "", nil // not an ELF file
	case err != nil:
		return "", err
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		return "", nil
	}
	data, err := note.Data()
	if err != nil {
		return "", err
	}
	parts := strings.Split(noteText(f, data), "/")
	if len(parts) != 4 {
		return "", nil
	}
	return parts[3], nil
}

// noteText is the text in an ELF note: two lengths, a type, the owner's name
// filled up to a multiple of four, the text.
func noteText(f *elf.File, note []byte) string {
	const header = 12
	if len(note) < header {
		return ""
	}
	name, size := uint64(f.ByteOrder.Uint32(note)), uint64(f.ByteOrder.Uint32(note[4:]))
	from := header + (name+3)&^3
	if from+size > uint64(len(note)) {
		return ""
	}
	return string(note[from : from+size])
}
