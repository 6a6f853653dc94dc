package addon

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/subtitles"
	"steno/session/panics"
)

// targetsAtOnce is how many target languages of a job are done at a time. What a translator makes of as many requests is
// bounded by itself.
const targetsAtOnce = 8

// translated is the text in all target languages, each once, within one time for all. One that fails for some utterances, or
// is not ready by then, has the first failure in its own place, beside what there is.
func (r *Recorded) translated(ctx context.Context, us []messages.Utterance) *messages.AddonResult[messages.List[messages.TranslationResult]] {
	began := time.Now()
	var c messages.TranslationConfig
	if r.request.TranslationConfig != nil {
		c = *r.request.TranslationConfig
	}
	results := r.translations(ctx, us, targetsOf(c), c)
	return wrap(began, messages.List[messages.TranslationResult](results), untold(results), firstFailure(results))
}

// firstFailure is that of the first language that is not whole; nil: all are.
func firstFailure(list []messages.TranslationResult) *messages.AddonError {
	for _, t := range list {
		if t.Error != nil {
			return t.Error
		}
	}
	return nil
}

// targetsOf are the languages to translate to, each once.
func targetsOf(c messages.TranslationConfig) (list []string) {
	for _, target := range c.TargetLanguages {
		if !slices.Contains(list, target) {
			list = append(list, target)
		}
	}
	return list
}

// untold tells that there is no text in any language.
func untold(list []messages.TranslationResult) bool {
	return !slices.ContainsFunc(list, func(t messages.TranslationResult) bool { return t.FullTranscript != "" })
}

// translations are the text in each of the languages, several at a time.
func (r *Recorded) translations(ctx context.Context, us []messages.Utterance, targets []string, c messages.TranslationConfig) []messages.TranslationResult {
	ctx, cancel := context.WithTimeout(ctx, r.ways.Afterwards)
	defer cancel()
	results := make([]messages.TranslationResult, len(targets))
	var begun atomic.Int64
	var all panics.Group
	for range min(targetsAtOnce, len(targets)) {
		all.Go(func() {
			for i := begun.Add(1) - 1; i < int64(len(targets)); i = begun.Add(1) - 1 {
				results[i] = r.translation(ctx, us, targets[i], c)
			}
		})
	}
	all.Wait()
	return results
}

// translation is the text in one language: what there is of it, beside why there is not all.
func (r *Recorded) translation(ctx context.Context, us []messages.Utterance, target string, c messages.TranslationConfig) messages.TranslationResult {
	t := messages.TranslationResult{Languages: messages.List[string]{target}}
	if r.ways.Translate == nil {
		t.Error = Unavailable(translation)
		return t
	}
	if err := ctx.Err(); err != nil {
		t.Error = remote.Addon(err)
		return t
	}
	said, err := attempt(ctx, r.ways.Afterwards, func(ctx context.Context) ([]messages.Utterance, error) {
		return r.ways.Translate(ctx, us, target, c)
	})
	if t.Error = remote.Addon(err); err != nil && len(said) == 0 {
		return t
	}
	t.FullTranscript, t.Utterances = messages.FullText(said), said
	if r.request.Sentences {
		t.Sentences = []messages.AddonResult[messages.List[string]]{*r.divided(said)}
	}
	if r.request.Subtitles {
		t.Subtitles = captions(said, r.request.SubtitlesConfig, r.seconds)
	}
	return t
}

// captions are the subtitles of a recording of so many seconds in all forms wanted. A form that there is no way to write is
// left out: requests for such are refused before.
func captions(us []messages.Utterance, c messages.SubtitlesConfig, seconds float64) []messages.Subtitle {
	var list []messages.Subtitle
	for _, format := range c.Formats {
		text, err := attempt(context.Background(), time.Minute, func(context.Context) (string, error) {
			return subtitles.Make(us, c, format, seconds)
		})
		if err == nil {
			list = append(list, messages.Subtitle{Format: format, Subtitles: text})
		}
	}
	return list
}
