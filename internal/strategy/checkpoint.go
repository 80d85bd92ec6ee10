package strategy

import (
	"bytes"
	"encoding/gob"
)

// pack encodes the state that a strategy needs to resume.
func pack(state any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(state)
	return b.Bytes(), err
}

// unpack decodes what pack has written.
func unpack(text []byte, state any) error {
	return gob.NewDecoder(bytes.NewReader(text)).Decode(state)
}
