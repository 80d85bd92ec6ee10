package strategy

import (
	"bytes"
	"encoding/gob"
)

// pack writes what a strategy has to know to go on.
func pack(state any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(state)
	return b.Bytes(), err
}

// unpack reads what pack has written.
func unpack(text []byte, state any) error {
	return gob.NewDecoder(bytes.NewReader(text)).Decode(state)
}
