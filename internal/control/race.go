//go:build race

package control

const detector = true
