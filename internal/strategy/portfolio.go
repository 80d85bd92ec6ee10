package strategy

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// All returns a constructor of each strategy. Strategies with a parameter get the value
// with which they are used.
func All() []func() schedule.Strategy {
	return []func() schedule.Strategy{
		RandomWalk,
		func() schedule.Strategy { return PCT(0) },
		POS,
		SURW,
		Directed,
		Guided,
		func() schedule.Strategy { return DepthFirst(2) },
		DPOR,
	}
}

// DefaultPlan is explore.DefaultPlan, which documents it.
func DefaultPlan() []schedule.Stage {
	dpor := DPOR()
	return []schedule.Stage{
		{Strategy: Directed(), Schedules: 15}, {Strategy: dpor, Schedules: 20}, {Strategy: Directed(), Schedules: 35},
		{Strategy: PCT(0), Schedules: 50}, {Strategy: SURW(), Schedules: 50}, {Strategy: dpor, Schedules: 200},
		{Strategy: Directed(), Schedules: 100}, {Strategy: dpor, Schedules: 5000, Near: true}, {Strategy: DepthFirst(2), Schedules: 5000},
	}
}

// AimedPlan is DefaultPlan for a failure that was seen elsewhere: Aimed replaces Directed,
// and gets more of the first schedules.
func AimedPlan(a Aim) []schedule.Stage {
	aimed, dpor := Aimed(a), DPOR()
	return []schedule.Stage{
		{Strategy: aimed, Schedules: 60}, {Strategy: dpor, Schedules: 10}, {Strategy: aimed, Schedules: 30},
		{Strategy: PCT(0), Schedules: 50}, {Strategy: SURW(), Schedules: 50}, {Strategy: dpor, Schedules: 200},
		{Strategy: aimed, Schedules: 1000}, {Strategy: DepthFirst(2), Schedules: 5000},
	}
}
