package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strings"
)

// checkPattern refuses patterns that package testing would refuse, before anything is built: each
// part between slashes must be a regular expression.
func checkPattern(flag, pattern string) error {
	for part := range strings.SplitSeq(slashes.ReplaceAllString(pattern, "x"), "/") {
		_, err := regexp.Compile(part)
		if wrong := new(syntax.Error); errors.As(err, &wrong) {
			return fmt.Errorf("-%s: got %q, want a regular expression: %s", flag, pattern, wrong.Code)
		}
	}
	return nil
}

// slashes matches slashes within brackets, which do not separate parts.
var slashes = regexp.MustCompile(`\[[^\]]*/[^\]]*\]`)

// checkDir refuses a folder to run in that does not exist.
func checkDir(dir string) error {
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("-C: got %s, want a folder", dir)
	}
	return nil
}

// checkFolder refuses a path that cannot be a folder.
func checkFolder(flag, dir string) error {
	if dir == "-" {
		return fmt.Errorf("-%s: got -, want a folder; ./- is one of that name", flag)
	}
	for at := dir; at != ""; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("-%s: got %s, want a folder: %s is a file", flag, dir, at)
		}
		if err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
	return nil
}

// checkFile refuses a path that cannot be written to as a file.
func checkFile(flag, file string) error {
	if file == "" {
		return nil
	}
	if err := checkNoFolder(flag, file); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("-%s: got %s, want a file in a folder that there is", flag, file)
	}
	return nil
}

// checkNoDevice refuses a device in place of a file that is read: it may have no end.
func checkNoDevice(flag, file string) error {
	if info, err := os.Stat(file); err == nil && info.Mode()&os.ModeDevice != 0 {
		return fmt.Errorf("-%s: got the device %s, want a file", flag, file)
	}
	return nil
}

// checkNoFolder refuses a folder in place of a file.
func checkNoFolder(flag, file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("-%s: got the folder %s, want a file", flag, file)
	}
	return nil
}
