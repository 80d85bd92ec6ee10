// Package page has what the HTML pages of runs share: one style, and the hashes by
// which the content security policy of a page allows its inline styles and scripts.
package page

import (
	"crypto/sha256"
	_ "embed" // for the style
	"encoding/base64"
)

//go:embed page.css
var style string

// Style returns the style sheet of a page, light or dark as its reader prefers.
func Style() string { return style }

// Sum returns the source expression for a style or script in a content security policy.
func Sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
