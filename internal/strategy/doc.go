// Package strategy contains the strategies that choose schedules, one per file. They
// see points and choices, and do not know how executions are run. [DefaultPlan] is the
// portfolio that is used by default.
package strategy
