package fuzz_test

import (
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
)

// mostOperations limits a program. Further operations are not played.
const mostOperations = 8

// twice returns the programs in which two tasks do the same one of so many operations. Fuzzing starts with them unless it is to find
// a documented race by itself.
func twice(operations int) [][]byte {
	all := make([][]byte, operations)
	for i := range all {
		all[i] = []byte{byte(i), byte(operations + i)}
	}
	return all
}

// A play is the operations of a program on an open subject. Each byte of a program is one operation: it says which one, by which
// task, and has a number from which the operation chooses its arguments. So a shorter program has fewer operations.
type play struct {
	tasks      int
	operations []func(by step)
	check      func() // after all tasks have ended
}

// A step is one operation of a program.
type step struct {
	task, n, arg int // n is the operation's number in the program
}

// run plays a program: each task does its operations one after the other, and the tasks run concurrently.
func (p play) run(t *explore.T, program []byte) {
	tasks := make([][]func(), p.tasks)
	for n, b := range program[:min(len(program), mostOperations)] {
		choice := int(b)
		operation := p.operations[choice%len(p.operations)]
		choice /= len(p.operations)
		task := choice % p.tasks
		by := step{task, n, choice / p.tasks}
		tasks[task] = append(tasks[task], func() { operation(by) })
	}
	for i, operations := range tasks {
		if len(operations) == 0 {
			continue
		}
		t.Go(fmt.Sprint("task ", i+1), func() {
			for _, operation := range operations {
				operation()
			}
		})
	}
	t.Wait()
	if len(program) > 0 {
		p.check()
	}
}
