package main

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

var tested = commandtest.Command{Name: name, Here: "cmd/jacquard", Root: rootCommand}

func TestMain(m *testing.M) { tested.Main(m) }

func TestScripts(t *testing.T) { tested.Scripts(t) }
