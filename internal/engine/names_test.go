package engine_test

import (
	"reflect"
	"testing"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Reports and cards name the harness's functions as package explore exports them.
func TestHarnessIsCalledExplore(t *testing.T) {
	got := source.FunctionName(reflect.ValueOf((*engine.T).Wait).Pointer())
	if want := "github.com/jacquard-go/jacquard/explore.(*T).Wait"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
