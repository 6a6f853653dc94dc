package translate

import (
	"context"

	"steno/messages"
)

// Known returns the languages that a translator has, by their codes: the targets of each source, in
// the order of [messages.Languages]; or that it takes any. It may ask a server, as long as the
// context lasts. The pairs are nil if the server did not answer.
func Known(ctx context.Context, t Translator) (pairs map[string][]string, all bool) {
	switch t := t.(type) {
	case model:
		return nil, true
	case *Apertium:
		return pairsOf(func(from, to string) bool { return t.mode(from, to) != "" }), false
	case *Libre:
		known, err := t.languages(ctx)
		if err != nil || known == nil {
			return nil, false
		}
		return pairsOf(func(from, to string) bool {
			for _, source := range called(from) {
				if among(to, known[source]) != "" {
					return true
				}
			}
			return false
		}), false
	}
	return nil, false
}

// pairsOf lists the targets of each source by what can be done. A language to itself is no
// translation.
func pairsOf(can func(from, to string) bool) map[string][]string {
	pairs := map[string][]string{}
	for _, from := range messages.Languages() {
		for _, to := range append(messages.Languages(), "wo") { // the one that can only be a target
			if from != to && can(from, to) {
				pairs[from] = append(pairs[from], to)
			}
		}
	}
	return pairs
}
