package steps

import (
	"regexp"

	"github.com/jacquard-go/jacquard/races"
)

// A sentence is how a feature tells a documented race. Its three parts are the
// texts of the steps, word for word; what is given is followed by a comma and
// the column.
type sentence struct {
	race  string // its identifier in the catalogue
	given string // who is there
	when  string // what they do
	then  string // what must hold: the assertion of the race's body
}

// sentences returns one sentence for each race.
func sentences() []sentence {
	const (
		memory    = "a plan service that keeps everything in memory"
		execution = "a plan in execution with one open changeset"
	)
	return []sentence{
		{
			race: "R1", given: "an engine cache",
			when: "a unit of work and the migration runner ask for the same in-memory database, in many orders",
			then: "both hold the same engine, and the schema made through one is visible through the other",
		},
		{
			race: "R2", given: memory,
			when: "two creators create an action of the same name, in many orders",
			then: "exactly one succeeds, the other is told that the action already exists, and the action is the winner's",
		},
		{
			race: "R3", given: memory,
			when: "plans are made from an action while others list the plans, in many orders",
			then: "every plan that was returned is found afterwards, and every listing shows the plans as they were at one moment",
		},
		{
			race: "R4", given: execution,
			when: "its next changeset is started while a change is recorded, in many orders",
			then: "no change lands in the older changeset once the newer one is visible",
		},
		{
			race: "R5", given: execution,
			when: "that changeset is finished while a change is recorded, in many orders",
			then: "the change is in that changeset, or its recorder is told that no changeset is active",
		},
		{
			race: "R6", given: "a queued plan in a database that two instances of the service share",
			when: "one instance moves the plan on while the other reads it, in many orders",
			then: "a read after the move was committed sees the plan where it was moved to",
		},
		{
			race: "R7", given: "an executed plan in a database that two instances of the service share",
			when: "both instances apply the plan, in many orders",
			then: "exactly one applies it, and the other is told what state it lost to",
		},
		{
			race: "N1", given: "two units of work on one in-memory database without a schema",
			when: "both bring the schema up to date, in many orders",
			then: "the migrations have run once, and neither unit of work got an error",
		},
		{
			race: "N2", given: "a queued plan in a database that refuses to commit",
			when: "the plan is moved on while others look at it, in many orders",
			then: "nobody sees the plan where it was not committed, neither then nor later",
		},
		{
			race: "N3", given: "a plan that is queued for execution in a database that two workers share",
			when: "both workers execute the plan, and the work fails, in many orders",
			then: "one does the work, the other is told that it is not its own, and afterwards the work can be done again",
		},
		{
			race: "N7", given: "a plan without a changeset in a database that two instances of the service share",
			when: "one instance starts a changeset while the other records a change, in many orders",
			then: "once the start has returned, the other instance knows the changeset and records in it",
		},
		{
			race: "N8", given: "a database file that two engines share",
			when: "one engine writes while the other reads and writes, in many orders",
			then: "nobody is told that the file is locked, and everything that was written is there",
		},
	}
}

// columns is how a feature names the columns.
func columns() map[string]races.Column {
	return map[string]races.Column{
		"as reported":  races.Reported,
		"as suggested": races.Suggested,
		"ours":         races.Ours,
	}
}

// exactly is the expression for a step that reads like text and nothing else.
func exactly(text string) string { return "^" + regexp.QuoteMeta(text) + "$" }
