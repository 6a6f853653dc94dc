package sentences

import (
	"context"

	"steno/messages"
	"steno/session/addon"
)

// DisplayMode is display_mode: the transcript in reading order, turn by turn.
type DisplayMode struct{}

// Name implements [addon.Addon].
func (DisplayMode) Name() string { return "display_mode" }

// Offer implements [addon.Addon].
func (d DisplayMode) Offer(context.Context) messages.Addon {
	return addon.Offer(d.Name(), addon.RecordedOnly, addon.Embedded)
}

// Analyze implements [addon.TranscriptAnalyzer].
func (d DisplayMode) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if !j.Request.DisplayMode {
		return
	}
	lines := func(_ context.Context, us []messages.Utterance) (messages.List[string], error) {
		_, lines := Display(us)
		return lines, nil
	}
	result.DisplayMode = addon.Whole(ctx, j.Runner, d.Name(), addon.Provider[[]messages.Utterance, messages.List[string]]{Name: addon.Embedded, Do: lines}, j.Utterances, addon.IsEmpty)
}
