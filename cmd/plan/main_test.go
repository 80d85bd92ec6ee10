package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

const told = `use_action           action/available       → strategize/queued      version 1
start_strategize     strategize/queued      → strategize/processing  version 2
complete_strategize  strategize/processing  → strategize/complete    version 3
execute_plan         strategize/complete    → execute/queued         version 4
start_execute        execute/queued         → execute/processing     version 5
complete_execute     execute/processing     → execute/complete       version 6
apply_plan           execute/complete       → apply/queued           version 7
start_apply          apply/queued           → apply/processing       version 8
complete_apply       apply/processing       → apply/applied          version 9
changed: create hello.txt
plans: 1, the newest is apply/applied
`

func TestPlan(t *testing.T) {
	file := "sqlite:///" + filepath.Join(t.TempDir(), "plans.db")
	for _, args := range [][]string{nil, {"sqlite:///:memory:"}, {file}} {
		var out bytes.Buffer
		if err := run(context.Background(), args, &out); err != nil || out.String() != told {
			t.Errorf("%q: got %v\n%swant\n%s", args, err, out.String(), told)
		}
	}
	var again bytes.Buffer
	if err := run(context.Background(), []string{file}, &again); err != nil || !strings.HasSuffix(again.String(), "plans: 2, the newest is apply/applied\n") {
		t.Errorf("got %v\n%swant a second plan", err, again.String())
	}
}

func TestBadArguments(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"a", "b"}, &out); err == nil || out.Len() != 0 {
		t.Errorf("got %v and %q, want an error", err, out.String())
	}
	if err := run(context.Background(), []string{"plans.db"}, &out); !errors.Is(err, lifecycle.ErrUnsupportedURL) {
		t.Errorf("got %v, want ErrUnsupportedURL", err)
	}
}
