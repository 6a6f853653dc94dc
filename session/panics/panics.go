// Package panics turns panics into errors, at the edges of goroutines: what a fault of the program breaks is one session,
// job or request, not the process and all others in it.
//
// Whoever recovers a panic goes on with values that the panic left half-way. So it is done where all of them belong to
// what is ended with the error, and locks on the way are released by defer.
package panics

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Error is a panic that was recovered.
type Error struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error tells what the runtime found wrong. Of any other value it tells the type alone: its text may hold what nobody is to
// read in a log.
func (e *Error) Error() string {
	if fault, ok := e.Value.(runtime.Error); ok {
		return "panic: " + fault.Error()
	}
	return fmt.Sprintf("panic of type %T", e.Value)
}

// In finds the panic in an error, nil where there is none.
func In(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}

// Catch returns what f returns. A panic of f becomes an [Error].
func Catch(f func() error) (err error) {
	defer To(&err)
	return f()
}

// Try is [Catch] for a function that has no errors.
func Try(f func()) (err error) {
	defer To(&err)
	f()
	return nil
}

// To makes a panic of the function that it is deferred by the error that it returns.
func To(err *error) {
	if v := recover(); v != nil {
		*err = Recovered(v)
	}
}

// Recovered makes an error of what recover returned. One that was raised again keeps the stack of the first panic.
func Recovered(v any) *Error {
	if e, ok := v.(*Error); ok {
		return e
	}
	return &Error{Value: v, Stack: debug.Stack()}
}

// Group is a sync.WaitGroup whose Wait raises again what one of its goroutines panicked with.
type Group struct {
	running sync.WaitGroup

	mu    sync.Mutex
	first error
}

// Go runs f in a goroutine.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		if err := Try(f); err != nil {
			g.keep(err)
		}
	})
}

func (g *Group) keep(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		g.first = err
	}
}

// Wait waits until all goroutines have ended. Where one panicked it panics with the [Error] of the first.
func (g *Group) Wait() {
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first != nil {
		panic(In(g.first))
	}
}
