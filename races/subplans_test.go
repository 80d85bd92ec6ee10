package races_test

import (
	"context"
	"testing"

	"github.com/jacquard-go/jacquard/races"
)

// These tests run the bodies of N6 and N9 on correct and on faulty subjects.

type fakeFailures struct {
	failed       []string
	fail, listed error
}

func (f fakeFailures) Fail(context.Context, string) error       { return f.fail }
func (f fakeFailures) Failed(context.Context) ([]string, error) { return f.failed, f.listed }
func (f fakeFailures) Close() error                             { return nil }

func TestErrorDetailsBody(t *testing.T) {
	both := []string{"spin", "weave"}
	for want, subject := range map[string]fakeFailures{
		"": {failed: both},
		`the plan's error details tell of ["weave"], <nil>`: {failed: both[1:]},
		`tell of ["spin" "weave"], disk full`:               {failed: both, listed: errDisk},
	} {
		judge(t, want, func(t races.T) error { return races.ErrorDetailsBody(t, subject) })
	}
}

// fakeParts works on some subplans before and on some after their context ends, and returns a fixed result.
type fakeParts struct {
	works, told []string
	parts       []races.Part
	err         error
}

func (f fakeParts) Run(ctx context.Context, work func(context.Context, string) error) ([]races.Part, error) {
	for _, name := range f.works {
		_ = work(ctx, name)
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	for _, name := range f.told {
		_ = work(ctx, name)
	}
	return f.parts, f.err
}

func (f fakeParts) Close() error { return nil }

func TestFailFastBody(t *testing.T) {
	parts := func(slow, never races.Part) []races.Part {
		slow.Name, never.Name = "slow", "never"
		return []races.Part{{Name: "torn", State: "failed"}, slow, never}
	}
	complete, merged := races.Part{State: "complete"}, races.Part{State: "complete", Merged: true}
	cancelled, leaked := races.Part{State: "cancelled"}, races.Part{State: "cancelled", Merged: true}
	both, torn, slow := []string{"torn", "slow"}, []string{"torn"}, []string{"slow"}
	for want, subject := range map[string]fakeParts{
		"": {works: both, parts: parts(merged, cancelled)},
		"run the subplans: got error disk full, want none":                                                     {err: errDisk},
		"got 0 subplans, want 3":                                                                               {works: both},
		"torn has failed, and is complete, merged: false":                                                      {works: both, parts: []races.Part{{Name: "torn", State: "complete"}, {}, {}}},
		"never never started, and is complete, merged: false; want it cancelled and not merged":                {works: both, parts: parts(merged, complete)},
		"never never started, and is cancelled, merged: true; want it cancelled and not merged":                {works: both, parts: parts(merged, leaked)},
		"slow was running when torn had failed, and is complete, merged: true; want it cancelled and not merg": {works: torn, told: slow, parts: parts(merged, cancelled)},
		"slow is complete, merged: false; want it merged if it is complete":                                    {works: both, parts: parts(complete, cancelled)},
		"slow is cancelled, merged: true; want it merged if it is complete":                                    {works: both, parts: parts(leaked, cancelled)},
	} {
		judge(t, want, func(t races.T) error { return races.FailFastBody(t, subject) })
	}
}
