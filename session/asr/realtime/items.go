package realtime

import (
	"slices"
	"strings"

	"steno/session/asr/remote"
)

const (
	// maxText bounds the text of an utterance, in bytes.
	maxText = 64 << 10
	// maxItems bounds the items of an utterance: it is one, unless the server divides it after all.
	maxItems = 64
)

// items are what a server has made of one utterance: one item, or several in a row where it hears
// ends of its own.
type items struct {
	all       []*item // in the order in which they were heard of
	ended     bool    // the utterance's end was committed
	committed bool    // the server has confirmed that
	language  string  // that it has named
	length    int     // of all texts
}

type item struct {
	id   string
	text string
	done bool
}

// add takes an event. It fails beyond the bounds.
func (i *items) add(e event) error {
	switch e.kind {
	case committed, delta, partial, completed:
	default:
		return nil
	}
	it := i.of(e.item)
	before := len(it.text)
	switch {
	case e.kind == committed:
		i.committed = i.committed || i.ended
	case it.done:
	case e.kind == delta:
		it.text += e.text
	case e.kind == partial:
		it.text = e.text
	default:
		it.text, it.done = e.text, true
		i.committed = i.committed || i.ended
		if e.language != "" {
			i.language = e.language
		}
	}
	if i.length += len(it.text) - before; i.length > maxText || len(i.all) > maxItems {
		return &remote.Failure{Text: "the answer is too long", Own: true}
	}
	return nil
}

// of returns an item by its id, a new one if it is not known.
func (i *items) of(id string) *item {
	if at := slices.IndexFunc(i.all, func(it *item) bool { return it.id == id }); at >= 0 {
		return i.all[at]
	}
	it := &item{id: id}
	i.all = append(i.all, it)
	return it
}

// finished reports whether the server has answered for the whole utterance.
func (i *items) finished(v *variant) bool {
	return i.ended && (i.committed || !v.confirms) && len(i.all) > 0 &&
		!slices.ContainsFunc(i.all, func(it *item) bool { return !it.done })
}

// text returns the text so far.
func (i *items) text() string {
	parts := make([]string, len(i.all))
	for n, it := range i.all {
		parts[n] = it.text
	}
	return strings.Join(parts, " ")
}
