package engines

import (
	"context"
	"slices"
	"time"
)

// StandIn makes a local engine one that is started only once it is needed. Started, it runs until
// the set is closed.
type StandIn struct {
	// Language is the language that the engine stands in for.
	Language string
	// Needless reports whether another engine of the set is expected to have the language, such as
	// by the models that are installed. While it reports false the engine is needed.
	Needless func() bool
}

// standInAfter is how long the others have to be without the language before the engine is needed.
// It is longer than the restart of an engine that has crashed.
const standInAfter = 15 * time.Second

// needed is the start condition of a stand-in. Its methods are called by the engine's supervisor,
// and once before that starts.
type needed struct {
	set   *Set
	name  string
	rule  StandIn
	since time.Time // when the others were first found without the language; zero: they were not
}

// now reports whether the engine is needed: no other one is expected to have the language, or none
// has it for too long.
func (n *needed) now() bool {
	switch {
	case !n.rule.Needless():
		return true
	case n.set.starts.pending(n.name) || n.set.others(n.name, n.rule.Language):
		n.since = time.Time{}
		return false
	case n.set.starts.hopeless(n.name):
		return true
	case n.since.IsZero():
		n.since = time.Now()
	}
	return time.Since(n.since) >= standInAfter
}

// others reports whether an engine but the named one is there and has the language.
func (s *Set) others(name, language string) bool {
	select {
	case <-s.routed:
	default:
		return false
	}
	if s.router == nil {
		return false
	}
	for model := range s.config.Plans {
		for _, e := range s.router.Describe(context.Background(), model) {
			if e.Name != name && e.Available && slices.Contains(e.Languages, language) {
				return true
			}
		}
	}
	return false
}
