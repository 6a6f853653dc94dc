package openai

import (
	"context"
	"math"

	"steno/session/asr"
)

// request asks for the transcription of the samples. If the server detects a language that it cannot be, it is asked again
// for those that it can be. Errors: ErrLanguage, or a failure.
func (r *Recognizer) request(ctx context.Context, u *stream, samples []int16) (asr.Result, error) {
	language := u.language
	a, err := r.ask(ctx, u, samples, language)
	if err == nil && language == "" && u.excludes(a.Language) {
		a, language, err = r.askAmong(ctx, u, samples)
	}
	if err != nil {
		return asr.Result{}, err
	}
	dropped := drops{}
	words, err := a.words(samples, dropped)
	if err != nil {
		return asr.Result{}, err
	}
	r.dropped.add(dropped)
	return u.final(words, len(words) > 0, a.Language, language), nil
}

// ask makes one request after the other until the server takes one, each for a less detailed form than that before.
func (r *Recognizer) ask(ctx context.Context, u *stream, samples []int16, language string) (*answer, error) {
	i, proven := r.forms.first()
	var first error // to be refused without a reason in all forms is no matter of forms
	for {
		a, refused, err := r.post(ctx, u, samples, language, forms[i])
		if err == nil {
			r.forms.answered(i)
			return a, nil
		}
		if refused == "language" && language != "" {
			return nil, asr.ErrLanguage
		}
		if refused != unnamed || first == nil {
			first = err
		}
		next, ok := less(i, refused, proven)
		if !ok {
			return nil, first
		}
		i = next
	}
}

// maxAsked bounds the languages for which one utterance is asked.
const maxAsked = 4

// askAmong asks for each language that the utterance can be in, and returns the likeliest answer with its language. Where the
// server tells no probabilities that is the first one.
func (r *Recognizer) askAmong(ctx context.Context, u *stream, samples []int16) (best *answer, language string, err error) {
	most := math.Inf(-1)
	for _, code := range u.candidates() {
		a, err := r.ask(ctx, u, samples, code)
		if err != nil {
			return nil, "", err
		}
		likelihood, known := a.likelihood()
		if best == nil || likelihood > most {
			best, language, most = a, code, likelihood
		}
		if !known {
			break
		}
	}
	return best, language, nil
}
