package openai

import (
	"context"
	"errors"
	"math"
	"strings"

	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/remote"
)

// request asks for the transcription of the samples. If the server leaves out the last of what was
// said it is asked for that again, alone. last: no other attempt follows. Errors:
// ErrLanguage, or a failure.
func (r *Recognizer) request(ctx context.Context, u *stream, samples []int16, last bool) (asr.Result, error) {
	first, err := r.transcript(ctx, u, samples, last)
	if err != nil || first.end == 0 {
		return first.result, err
	}
	rest, err := r.transcript(ctx, u, samples[first.end:], last)
	var f *remote.Failure
	switch {
	case errors.As(err, &f) && f.Again: // the same audio has the same final
		return asr.Result{}, err
	case err != nil, len(rest.result.Words) == 0:
		return first.result, nil
	}
	r.dropped.Add(clean.Drops{Resumed: 1})
	return first.followed(rest.result), nil
}

// transcript is what a server has made of audio.
type transcript struct {
	result asr.Result
	end    int // the sample from which on speech was left out; 0: all was transcribed
}

// transcript asks for the transcription of the samples. If the server detects a language that it
// cannot be, it is asked again for those that it can be.
func (r *Recognizer) transcript(ctx context.Context, u *stream, samples []int16, last bool) (transcript, error) {
	language := u.language
	a, err := r.ask(ctx, u, samples, language, last)
	if err == nil && language == "" && remote.Excludes(u.params, a.Language) {
		a, language, err = r.askAmong(ctx, u, samples, last)
	}
	if err != nil {
		return transcript{}, err
	}
	dropped := clean.Drops{}
	words, err := a.words(samples, dropped)
	if err != nil {
		return transcript{}, err
	}
	r.dropped.Add(dropped)
	out := transcript{result: u.final(words, len(words) > 0, a.Language, language)}
	switch {
	case len(words) == 0:
		out.result.Dropped = dropped.Reason()
	case len(dropped) == 0:
		out.end = a.stopped(samples)
	}
	return out, nil
}

// ask makes one request after the other until the server takes one, each for a less detailed form
// than that before. last: no other attempt follows.
func (r *Recognizer) ask(ctx context.Context, u *stream, samples []int16, language string, last bool) (*answer, error) {
	i, proven := r.forms.first()
	named := true
	var first error // to be refused without a reason in all forms is no matter of forms
	for {
		a, by, err := r.post(ctx, u, samples, language, forms[i])
		if err == nil {
			r.forms.answered(i, named)
			if strings.TrimSpace(a.text()) != "" || len(a.Segments) > 0 {
				r.forms.saw(i, a.times())
			}
			return a, nil
		}
		if by.field == "language" && language != "" {
			return nil, asr.ErrLanguage
		}
		if by.how == forField || first == nil {
			first = err
		}
		next, ok := less(i, by, proven, r.doubts(u, last, by.how))
		if !ok {
			return nil, first
		}
		named = named && by.how == forField
		i = next
	}
}

// maxAsked bounds the languages for which one utterance is asked.
const maxAsked = 4

// candidates returns the languages that the utterance can be in, and which the recognizer offers:
// one at least, since others are refused by Open.
func (s *stream) candidates() []string {
	all := s.recognizer.speaks.Candidates(s.params)
	return all[:min(len(all), maxAsked)]
}

// askAmong asks for each language that the utterance can be in, and returns the likeliest answer
// with its language. Where the server tells no probabilities that is the first one.
func (r *Recognizer) askAmong(ctx context.Context, u *stream, samples []int16, last bool) (best *answer,
	language string, err error) {
	most := math.Inf(-1)
	for _, code := range u.candidates() {
		a, err := r.ask(ctx, u, samples, code, last)
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
