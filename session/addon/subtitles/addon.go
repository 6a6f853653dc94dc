package subtitles

import (
	"context"
	"time"

	"steno/messages"
	"steno/session/addon"
)

// Addon is subtitles.
type Addon struct{}

// Name implements [addon.Addon].
func (Addon) Name() string { return "subtitles" }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(a.Name(), addon.PreRecordedOnly, addon.Embedded)
}

// Analyze implements [addon.TranscriptAnalyzer].
func (Addon) Analyze(_ context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	result.Transcription.Subtitles = Of(j, j.Utterances)
}

// timeLimit is the time for one subtitle file, which takes milliseconds.
const timeLimit = time.Minute

// Of returns the subtitles of utterances, the job's own or their translation, in all formats that
// the job's request asks for. A format that cannot be written is left out: such requests are
// refused before.
func Of(j *addon.Job, us []messages.Utterance) []messages.Subtitle {
	if !j.Request.Subtitles {
		return nil
	}
	c := j.Request.SubtitlesConfig
	var list []messages.Subtitle
	for _, format := range c.Formats {
		text, err := addon.Run(context.Background(), j.Runner, Addon{}.Name(), timeLimit,
			func(context.Context) (string, error) {
				return Make(us, c, format, j.Seconds)
			})
		if err == nil {
			list = append(list, messages.Subtitle{Format: format, Subtitles: text})
		}
	}
	return list
}
