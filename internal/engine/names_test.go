package engine_test

import (
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Reports and cards use the exported names of package explore for the harness's functions.
func TestHarnessIsCalledExplore(t *testing.T) {
	got := source.FunctionName(reflect.ValueOf((*engine.T).Wait).Pointer())
	if want := "github.com/jacquard-go/jacquard/explore.(*T).Wait"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
