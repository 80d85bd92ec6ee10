package card

import (
	"fmt"
	"strings"
)

// phrases are frequent parts of the words of cards: each is encoded in one byte, from
// firstPhrase on. They belong to the format, so their order must never change.
var phrases = []string{
	"atomic.", "Int64.", "Int32.", "Uint64.", "Uint32.", "Pointer", "Bool.", "Value.", "Load", "Store", "Add", "CompareAndSwap", "Swap",
	"Mutex.", "RW", "Lock", "Unlock", "RLock", "RUnlock", "WaitGroup.", "Wait", "Done", "Once", "Cond.", "Signal", "Broadcast",
	"send", "receive", "close", "select", "try ", "read", "write", "map ", "append", "yield", "timer", "start", "go1.", " #",
	" linux/amd64", " linux/arm64", " darwin/arm64", " darwin/amd64", " windows/amd64",
	".func", "(*", ").", "[…]", " of ", "body", "main.", "Test", "user.", "bodies.", "worker", "reader", "writer", "producer", "consumer",
	"client", "server", "Context", "context", "New", "Get", "Set", "Put", "Run", "Start", "Stop", "Close", "Create", "Delete", "Update",
	"Change", "Plan", "Engine", "Action", "sync", "sql", "cache", "store", "reported", "lifecycle", "canary.", "races.",
	"er", "in", "th", "re", "on", "an", "at", "en", "ed", "es", "or", "te", "ti", "st", "ar", "nd", "to", "it", "is", "ou", "le", "se", "al",
	"ing", "ion", "ent", "ck", "ll", "ex", "de", "co", "ne", "un",
}

const (
	firstPhrase = 0x80
	// plainByte precedes a byte that is not ASCII text.
	plainByte = 0x7f
)

// squeeze encodes text, replacing the longest phrase at each place.
func squeeze(text string) []byte {
	var b []byte
	for len(text) > 0 {
		best := -1
		for i, p := range phrases {
			if strings.HasPrefix(text, p) && len(p) > 1 && (best < 0 || len(p) > len(phrases[best])) {
				best = i
			}
		}
		switch {
		case best >= 0:
			b = append(b, byte(firstPhrase+best))
			text = text[len(phrases[best]):]
			continue
		case text[0] >= plainByte:
			b = append(b, plainByte)
		}
		b = append(b, text[0])
		text = text[1:]
	}
	return b
}

// unsqueeze is the inverse of squeeze.
func unsqueeze(b []byte) (string, error) {
	var text strings.Builder
	for i := 0; i < len(b); i++ {
		switch {
		case int(b[i]) >= firstPhrase+len(phrases):
			return "", fmt.Errorf("unknown phrase %d", b[i]-firstPhrase)
		case b[i] >= firstPhrase:
			text.WriteString(phrases[b[i]-firstPhrase])
			continue
		case b[i] == plainByte:
			if i++; i == len(b) {
				return "", fmt.Errorf("a word is cut short")
			}
		}
		text.WriteByte(b[i])
	}
	return text.String(), nil
}
