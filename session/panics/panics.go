// Package panics turns panics into errors at the edges of goroutines, so that a fault of the
// program ends one session, job or request and not the process.
//
// After a recovered panic the values that it touched may be inconsistent. Callers therefore recover
// where all of these values end with the error, and release locks on the way by defer.
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

// Error is the runtime's message. Of any other value it is the type alone: the text may hold data
// that must not be logged.
func (e *Error) Error() string {
	if fault, ok := e.Value.(runtime.Error); ok {
		return "panic: " + fault.Error()
	}
	return fmt.Sprintf("panic of type %T", e.Value)
}

// In returns the panic that an error wraps, nil without one.
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

// To is deferred by a function with a named error result: it makes a panic of the function that
// error.
func To(err *error) {
	if v := recover(); v != nil {
		*err = Recovered(v)
	}
}

// Recovered makes an error of what recover returned. One that was raised again keeps the stack of
// the first panic.
func Recovered(v any) *Error {
	if e, ok := v.(*Error); ok {
		return e
	}
	return &Error{Value: v, Stack: debug.Stack()}
}

// Group is a sync.WaitGroup whose Wait panics again with the first panic of its goroutines.
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

// Wait waits until all goroutines have ended. Where one panicked it panics with the [Error] of the
// first.
func (g *Group) Wait() {
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first != nil {
		panic(In(g.first))
	}
}
