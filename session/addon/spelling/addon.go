package spelling

import (
	"context"

	"steno/messages"
	"steno/session/addon"
)

// Addon is custom_spelling.
type Addon struct{}

// Name implements [addon.Addon].
func (Addon) Name() string { return "custom_spelling" }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(a.Name(), addon.LiveAndPreRecorded, addon.Embedded)
}

// Rewriter implements [addon.TextRewriter].
func (Addon) Rewriter(q *messages.LiveRequest) func(messages.Utterance) messages.Utterance {
	rt := q.RealtimeProcessing
	if !rt.CustomSpelling || rt.CustomSpellingConfig == nil {
		return nil
	}
	return New(*rt.CustomSpellingConfig).Apply
}
