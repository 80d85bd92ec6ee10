package explore

import (
	"os"
	"testing"

	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// A mode is what [Test], [Control] and [Fuzz] do with a test in this process:
//
//	mode         the process is                          what is done
//	modeHosted   one schedule of jacquard test           nothing: it runs the test again, in modePlain
//	modePlain    any that is not under control           build it under control and run the test there;
//	                                                     if that cannot be, sample the body
//	modeWorker   a worker of another one's exploration   run schedules for that one
//	modeCard     under control, with JACQUARD_CARD set   follow that card
//	modeExplore  any other under control                 follow the stored cards, explore, store the card
type mode int

const (
	modeHosted mode = iota
	modePlain
	modeWorker
	modeCard
	modeExplore
)

// modeOf returns the first mode that applies.
func modeOf(tb testing.TB) mode {
	switch {
	case !search.Controlled() && hosted(tb):
		return modeHosted
	case !search.Controlled():
		return modePlain
	case workers.Serving != nil:
		return modeWorker
	case os.Getenv(cardEnv) != "":
		return modeCard
	}
	return modeExplore
}
