package addon

import (
	"context"
	"iter"
	"strings"

	"steno/messages"
)

// Table lists the add-ons of a server, in the order in which clients see them, and how they are
// run. It does not change once it is in use.
type Table struct {
	Addons []Addon
	Runner Runner
}

// WithFailures returns a copy of the table that reports failures, see [Runner.OnFailure].
func (t *Table) WithFailures(report func(addon string, cause error)) *Table {
	reporting := *t
	reporting.Runner.OnFailure = report
	return &reporting
}

// NewRunner returns the table's runner with its defaults.
func (t *Table) NewRunner() *Runner { return t.Runner.withDefaults() }

// Names returns the names of the add-ons.
func (t *Table) Names() []string {
	names := make([]string, len(t.Addons))
	for i, a := range t.Addons {
		names[i] = a.Name()
	}
	return names
}

// Offers describes the add-ons to clients. It may ask servers for that until the context ends.
func (t *Table) Offers(ctx context.Context) []messages.Addon {
	list := make([]messages.Addon, 0, len(t.Addons))
	for _, a := range t.Addons {
		list = append(list, a.Offer(ctx))
	}
	return list
}

// Describe sets the add-ons' own fields in the description of the server for clients.
func (t *Table) Describe(m *messages.Models) {
	for d := range implementing[Describer](t) {
		d.Describe(m)
	}
}

// Check returns why the add-ons cannot do what the request asks for, see [RequestChecker]; nil if
// they can, with warnings of what they leave out.
func (t *Table) Check(q *messages.PreRecordedRequest, languages []string) (messages.Warnings, error) {
	return gather(t, func(c RequestChecker) (messages.Warnings, error) { return c.Check(q, languages) })
}

// CheckLive is [Table.Check] for a live session.
func (t *Table) CheckLive(q *messages.LiveRequest, languages []string) (messages.Warnings, error) {
	return gather(t, func(c LiveChecker) (messages.Warnings, error) { return c.CheckLive(q, languages) })
}

// gather returns what check warns of for each add-on of a kind, or its first error.
func gather[C any](t *Table, check func(C) (messages.Warnings, error)) (all messages.Warnings, err error) {
	for c := range implementing[C](t) {
		warnings, err := check(c)
		if err != nil {
			return nil, err
		}
		all = append(all, warnings...)
	}
	return all, nil
}

// Complete sets what the request leaves to add-ons, so that its record shows what it was done with.
func (t *Table) Complete(q *messages.PreRecordedRequest) {
	for c := range implementing[RequestCompleter](t) {
		c.Complete(q)
	}
}

// Remote reports whether the request asks for add-ons whose work is done by servers elsewhere,
// which may let it wait.
func (t *Table) Remote(q *messages.PreRecordedRequest) bool {
	for w := range implementing[RemoteWorker](t) {
		if w.Remote(q) {
			return true
		}
	}
	return false
}

// Declarations returns those of the add-ons beside the public API's.
func (t *Table) Declarations() (list []messages.Declaration) {
	for d := range implementing[Declarer](t) {
		list = append(list, d.Declaration())
	}
	return list
}

// emitting yields the names of add-ons that have messages of their own, with types of a prefix and
// the name: in the order of the kinds, then those declared.
func (t *Table) emitting(prefix string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, kind := range messages.Kinds() {
			if name, ok := strings.CutPrefix(kind.String(), prefix); ok && !yield(name) {
				return
			}
		}
		for d := range implementing[Declarer](t) {
			if !yield(d.Name()) {
				return
			}
		}
	}
}

// named returns the add-on with a name, nil if there is none.
func (t *Table) named(name string) Addon {
	for _, a := range t.Addons {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// implementing yields the add-ons that implement an interface, in the order of the table.
func implementing[I any](t *Table) func(yield func(I) bool) {
	return func(yield func(I) bool) {
		for _, a := range t.Addons {
			if i, ok := a.(I); ok && !yield(i) {
				return
			}
		}
	}
}
