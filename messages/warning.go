package messages

import (
	"net/url"
	"slices"
	"strings"
)

// Warning is about a part of a request that is not done as asked, or that is deprecated.
type Warning struct {
	// Field is its dotted path: printable ASCII without commas, and short.
	Field string `json:"field" doc:"Dotted path of the field"`
	// Message is what is wrong with it, and what was probably meant.
	Message string `json:"message" doc:"What about it"`

	// honoured is set if it is done all the same.
	honoured bool
}

// moreWarnings is the field of a last warning that stands for those that are left out.
const moreWarnings = "..."

// Warnings are those about a request, at most maxWarnings and one that stands for the others.
type Warnings []Warning

// Warn adds that something is not done.
func (w *Warnings) Warn(field, message string) {
	w.add(Warning{Field: fieldName(field), Message: message})
}

// Deprecate adds that something is done, and should be asked for in another way.
func (w *Warnings) Deprecate(field, message string) {
	w.add(Warning{Field: fieldName(field), Message: message, honoured: true})
}

func (w *Warnings) add(warning Warning) {
	switch n := len(*w); {
	case n < maxWarnings:
		*w = append(*w, warning)
	case n == maxWarnings:
		*w = append(*w, Warning{Field: moreWarnings, Message: "there are more than these"})
	}
}

// full reports whether no more are kept.
func (w Warnings) full() bool { return len(w) > maxWarnings }

// Ignored are those of what is not done.
func (w Warnings) Ignored() Warnings {
	return slices.DeleteFunc(slices.Clone(w), func(one Warning) bool { return one.honoured })
}

// Names are the fields, in order.
func (w Warnings) Names() []string {
	names := make([]string, len(w))
	for i, one := range w {
		names[i] = one.Field
	}
	return names
}

// Header is the names as a header's value, of at most maxHeader bytes.
func (w Warnings) Header() string {
	const more = ", " + moreWarnings
	var b strings.Builder
	for i, name := range w.Names() {
		if i > 0 {
			name = ", " + name
		}
		if b.Len()+len(name) > maxHeader-len(more) {
			b.WriteString(more)
			break
		}
		b.WriteString(name)
	}
	return b.String()
}

// Refusal is the Problem of a request that is to be done as asked or not at all; nil where all is
// done.
func (w Warnings) Refusal() *Problem {
	var refused faults
	for _, one := range w.Ignored() {
		refused.fault(one.Field, "must not be ignored: "+one.Message)
	}
	return refused.problem()
}

// WarnOfQuery adds the parameters of a query that is to have none.
func (w *Warnings) WarnOfQuery(query url.Values) {
	for _, name := range sortedKeys(map[string][]string(query)) {
		w.Warn(name, "is not a known parameter of the query")
	}
}

// fieldName is a field's path as it can be shown anywhere: a client chose it.
func fieldName(path string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == ',' {
			return '?'
		}
		return r
	}, path[:min(len(path), maxFieldName)]))
	switch {
	case name == "":
		return "?"
	case len(path) > maxFieldName:
		return name + moreWarnings
	}
	return name
}
