package addon

import (
	"context"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/subtitles"
)

// translated is the text in all target languages. One that fails has its error in its own place; only where all failed
// has the whole.
func (r *Recorded) translated(ctx context.Context, us []messages.Utterance) *messages.AddonResult[messages.List[messages.TranslationResult]] {
	began := time.Now()
	var c messages.TranslationConfig
	if r.request.TranslationConfig != nil {
		c = *r.request.TranslationConfig
	}
	if r.ways.Translate == nil {
		return wrap[messages.List[messages.TranslationResult]](began, nil, true, Unavailable("translation"))
	}
	results := make(messages.List[messages.TranslationResult], len(c.TargetLanguages))
	good := 0
	for i, target := range c.TargetLanguages {
		results[i] = r.translation(ctx, us, target, c)
		if results[i].Error == nil {
			good++
		}
	}
	out := wrap(began, results, good == 0 || len(us) == 0, nil)
	if good == 0 && len(results) > 0 {
		out.Success, out.Error = false, results[0].Error
	}
	return out
}

func (r *Recorded) translation(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) messages.TranslationResult {
	t := messages.TranslationResult{Languages: messages.List[string]{target}}
	said, err := attempt(ctx, r.ways.Afterwards, func(ctx context.Context) ([]messages.Utterance, error) {
		return r.ways.Translate(ctx, us, target, c)
	})
	if err != nil {
		t.Error = remote.Addon(err)
		return t
	}
	t.FullTranscript, t.Utterances = messages.FullText(said), said
	if r.request.Sentences {
		t.Sentences = []messages.AddonResult[messages.List[string]]{*r.divided(said)}
	}
	if r.request.Subtitles {
		t.Subtitles = captions(said, r.request.SubtitlesConfig)
	}
	return t
}

// captions are the subtitles in all forms wanted. A form that there is no way to write is left out: requests for such are
// refused before.
func captions(us []messages.Utterance, c messages.SubtitlesConfig) []messages.Subtitle {
	var list []messages.Subtitle
	for _, format := range c.Formats {
		text, err := attempt(context.Background(), time.Minute, func(context.Context) (string, error) {
			return subtitles.Make(us, c, format)
		})
		if err == nil {
			list = append(list, messages.Subtitle{Format: format, Subtitles: text})
		}
	}
	return list
}
