package trial_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/goker/trial"
	"github.com/jacquard-go/jacquard/explore"
)

func kernels() map[string]func() {
	return map[string]func(){
		"leak": func() {
			c := make(chan int)
			go func() { c <- 1 }()
			go func() {}()
		},
		"right": func() {
			c := make(chan int, 1)
			go func() { c <- 1 }()
			go func() {}()
		},
	}
}

func ask(t *testing.T, j trial.Job) trial.Answer {
	t.Helper()
	in, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := trial.Serve(t.Context(), kernels(), bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var a trial.Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestServe(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, plan := range []trial.Plan{trial.Default, trial.Random, trial.Sampling, trial.DPOR} {
		found := ask(t, trial.Job{Kernel: "leak", Plan: plan, Seeds: 2, Limit: 7, Replays: 3})
		if found.Error != "" || len(found.Searches) != 2 {
			t.Fatalf("%s: got %+v, want two searches", plan, found)
		}
		for _, s := range found.Searches {
			if !s.Found() || s.Kind != explore.KindLeak || s.Schedules != 1 || s.Replayed != 3 || s.Timeline == nil {
				t.Errorf("%s: got %+v, want a leak at schedule 1 that replays 3 times", plan, s)
			}
		}
		holds := ask(t, trial.Job{Kernel: "right", Plan: plan, Seeds: 1, Limit: 7})
		if holds.Error != "" || holds.Searches[0].Found() || holds.Searches[0].Schedules > 7 || holds.Searches[0].Verdict != "holds" {
			t.Errorf("%s: got %+v, want that it holds in at most 7 schedules", plan, holds)
		}
	}
	for _, j := range []trial.Job{{Kernel: "none", Plan: trial.Default, Seeds: 1, Limit: 1}, {Kernel: "leak", Plan: "none", Seeds: 1, Limit: 1}, {Kernel: "leak", Plan: trial.Default, Seeds: 1}} {
		if a := ask(t, j); a.Error == "" {
			t.Errorf("%+v: got %+v, want an error", j, a)
		}
	}
	if err := trial.Serve(t.Context(), nil, strings.NewReader("{"), new(bytes.Buffer)); err == nil {
		t.Error("got no error for half a job")
	}
}
