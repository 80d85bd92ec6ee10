// Package strategy has the strategies that choose schedules, one in each file. They
// know points and choices, and nothing of how an execution is run. [DefaultPlan] is
// the portfolio of them that is used if nobody says otherwise.
package strategy
