// Package page has what the HTML pages of runs share: one look, and the sums by
// which a page that loads nothing names what it has within it.
package page

import (
	"crypto/sha256"
	_ "embed" // for the style
	"encoding/base64"
)

//go:embed page.css
var style string

// Style is the look of a page, light or dark as its reader has it.
func Style() string { return style }

// Sum names a style or a script in a content security policy.
func Sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
