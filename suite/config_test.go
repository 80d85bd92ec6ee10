package suite_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// Invalid options are refused before anything is built.
func TestBadConfig(t *testing.T) {
	for want, cfg := range map[string]suite.Config{
		"Parallel: got -1, want at least 0":     {Parallel: -1},
		"Schedules: got -1, want at least 0":    {Schedules: -1},
		"MaxSteps: got -2, want at least 0":     {MaxSteps: -2},
		"MaxSteps: got 1, want at least 2":      {MaxSteps: 1},
		"Workers: got -3, want at least 0":      {Workers: -3},
		"Budget: got -4ns, want at least 0":     {Budget: -4},
		"Timeout: got -1s, want at least 0":     {Timeout: -time.Second},
		`Leaks: got "never"`:                    {Leaks: "never"},
		`Plan[0]: got strategy "best", want `:   {Plan: []protocol.Stage{{Strategy: "best", Schedules: 1}}},
		"Plan[1]: got 0 schedules, want at lea": {Plan: []protocol.Stage{{Strategy: "pos", Schedules: 1}, {Strategy: "pct"}}},
	} {
		built := false
		cfg = suite.WithBuild(cfg, func() (string, error) {
			built = true
			return "", errors.New("built")
		})
		ok, err := suite.Run(t.Context(), cfg)
		if ok || built || !errors.Is(err, suite.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %t, %v, built: %t; want %s", ok, err, built, want)
		}
	}
}
