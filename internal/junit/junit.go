// Package junit writes the results of tests in the part of JUnit's XML format that
// all its readers support.
package junit

import (
	"encoding/xml"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Suites is a whole file.
type Suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []Suite  `xml:"testsuite"`
}

// A Suite is a package, or another group of tests. [Write] counts its cases.
type Suite struct {
	Name     string  `xml:"name,attr"`
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Skipped  int     `xml:"skipped,attr"`
	Time     Seconds `xml:"time,attr,omitempty"`
	Cases    []Case  `xml:"testcase"`
}

// A Case is a test.
type Case struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    Seconds `xml:"time,attr,omitempty"`
	File    string  `xml:"file,attr,omitempty"`
	Failure *Text   `xml:"failure"`
	Skipped *Text   `xml:"skipped"`
	Output  string  `xml:"system-out,omitempty"`
}

// A Text says why a case failed or was skipped.
type Text struct {
	Message string `xml:"message,attr"`
	Kind    string `xml:"type,attr,omitempty"`
	Body    string `xml:",chardata"`
}

// Seconds is a duration in the format's notation.
type Seconds time.Duration

// MarshalText writes seconds with three decimals.
func (s Seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(s).Seconds(), 'f', 3, 64), nil
}

// Write writes all to a file at path.
func Write(path string, all Suites) error {
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Tests, s.Failures, s.Skipped = len(s.Cases), 0, 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				s.Failures++
			} else if c.Skipped != nil {
				s.Skipped++
			}
		}
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append([]byte(xml.Header), text...), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the JUnit file: %w", err)
	}
	return nil
}
