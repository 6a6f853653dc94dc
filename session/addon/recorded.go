package addon

import (
	"cmp"
	"context"
	"time"

	"steno/messages"
	"steno/session/addon/punctuation"
	"steno/session/addon/redact"
	"steno/session/addon/sentences"
	"steno/session/panics"
)

// Recorded does what the request of a recorded file wants done with its transcript, once its speakers are told apart. It is
// used once, by one goroutine.
type Recorded struct {
	request  *messages.PreRecordedRequest
	ways     Ways
	redactor *redact.Redactor // nil: nothing is hidden
	seconds  float64          // of the recording, once Result has begun
}

// NewRecorded returns what a request wants, to be done in these ways.
func NewRecorded(q *messages.PreRecordedRequest, w Ways) *Recorded {
	w.Afterwards = w.later()
	r := &Recorded{request: q, ways: w}
	if q.PIIRedaction {
		r.redactor = redact.New(q.PIIRedactionConfig)
	}
	return r
}

// Result makes the job's result of what was heard. An add-on that fails says so in its wrapper; the error is ctx's, or
// that something could not be hidden, and then there is no result.
func (r *Recorded) Result(ctx context.Context, heard messages.LiveResult) (*messages.PreRecordedResult, error) {
	q := r.request
	result := &messages.PreRecordedResult{Metadata: heard.Metadata}
	r.seconds = heard.Metadata.AudioDuration
	us := heard.Transcription.Utterances
	if q.PunctuationEnhanced {
		us = r.punctuated(ctx, us)
	}
	h, err := r.hide(ctx, us)
	if err != nil {
		return nil, err
	}
	us = h.utterances
	t := r.transcription(us, heard.Transcription.Languages)
	result.Transcription, result.Sentences = &t, sentencesOf(t)
	r.besides(ctx, h, result)
	return result, ctx.Err()
}

// Silences are the stretches of the recording that must not be heard, once Result has returned.
func (r *Recorded) Silences() []redact.Span {
	if r.redactor == nil {
		return nil
	}
	return r.redactor.Silences()
}

// punctuated returns the utterances with marks and capitals; as they were if that breaks down. What a model has not told in
// its time, pauses tell.
func (r *Recorded) punctuated(ctx context.Context, us []messages.Utterance) []messages.Utterance {
	within, cancel := context.WithTimeout(ctx, r.ways.Afterwards)
	defer cancel()
	model := func(text, language string) (string, bool) {
		if r.ways.Punctuate == nil || within.Err() != nil {
			return "", false
		}
		out, err := r.ways.Punctuate(within, text, language)
		return out, err == nil
	}
	better, err := attempt(ctx, r.ways.Afterwards+time.Minute, func(context.Context) ([]messages.Utterance, error) {
		return punctuation.Enhance(us, model), nil
	})
	if err != nil {
		return us
	}
	return better
}

// transcription is the whole text, with captions and sentences where they are wanted.
func (r *Recorded) transcription(us []messages.Utterance, languages []string) messages.Transcription {
	t := messages.Transcription{FullTranscript: messages.FullText(us), Languages: languages, Utterances: us}
	if r.request.Sentences {
		t.Sentences = []messages.AddonResult[messages.List[string]]{*r.divided(us)}
	}
	if r.request.Subtitles {
		t.Subtitles = captions(us, r.request.SubtitlesConfig, r.seconds)
	}
	return t
}

func (r *Recorded) divided(us []messages.Utterance) *messages.AddonResult[messages.List[string]] {
	return whole(context.Background(), "sentences", true, time.Minute, func(context.Context) (messages.List[string], error) {
		var texts messages.List[string]
		for _, s := range sentences.Split(us) {
			texts = append(texts, s.Text)
		}
		return texts, nil
	}, isEmpty)
}

// sentencesOf is the wrapper in the transcription once more, where older clients look for it.
func sentencesOf(t messages.Transcription) *messages.AddonResult[messages.List[string]] {
	if len(t.Sentences) == 0 {
		return nil
	}
	same := t.Sentences[0]
	return &same
}

// besides does all add-ons that only read the transcript, at the same time.
func (r *Recorded) besides(ctx context.Context, h hidden, into *messages.PreRecordedResult) {
	q, w, us := r.request, r.ways, h.utterances
	var all panics.Group
	defer all.Wait()
	if q.NamedEntityRecognition || h.failed != nil {
		all.Go(func() { into.NamedEntityRecognition = r.named(ctx, h) })
	}
	if q.Translation {
		all.Go(func() { into.Translation = r.translated(ctx, us) })
	}
	if q.Summarization {
		all.Go(func() { into.Summarization = summarized(ctx, w, us, q.SummarizationConfig.Type) })
	}
	if q.Chapterization {
		all.Go(func() { into.Chapterization = chaptered(ctx, w, us) })
	}
	if q.SentimentAnalysis {
		all.Go(func() { into.SentimentAnalysis = felt(ctx, w, us) })
	}
	if q.AudioToLLM {
		all.Go(func() { into.AudioToLLM = r.asked(ctx, us) })
	}
	if q.StructuredDataExtraction {
		all.Go(func() {
			into.StructuredDataExtraction = extracted(ctx, w, us, q.StructuredDataExtractionConfig.Classes)
		})
	}
	if q.NameConsistency {
		all.Go(func() {
			into.NameConsistency = one(ctx, "name_consistency", w.Names != nil, w.Afterwards,
				func(ctx context.Context) (string, error) { return w.Names(ctx, us) })
		})
	}
	if q.DisplayMode {
		all.Go(func() { into.DisplayMode = displayed(ctx, w, us) })
	}
}

func displayed(ctx context.Context, w Ways, us []messages.Utterance) *messages.AddonResult[messages.List[string]] {
	return whole(ctx, "display_mode", true, w.Afterwards, func(context.Context) (messages.List[string], error) {
		_, lines := sentences.Display(us)
		return lines, nil
	}, isEmpty)
}

// asked puts each prompt to the language model.
func (r *Recorded) asked(ctx context.Context, us []messages.Utterance) *messages.AddonResult[messages.List[messages.AudioToLLM]] {
	c := r.request.AudioToLLMConfig
	if c == nil {
		c = &messages.AudioToLLMConfig{}
	}
	began := time.Now()
	answers := make(messages.List[messages.AudioToLLM], len(c.Prompts))
	var all panics.Group
	for i, p := range c.Prompts {
		all.Go(func() { answers[i] = r.answer(ctx, us, p, c.Model) })
	}
	all.Wait()
	empty, failed := true, (*messages.AddonError)(nil)
	for _, a := range answers {
		empty, failed = empty && a.IsEmpty, cmp.Or(failed, a.Error)
	}
	return wrap(began, answers, empty, failed)
}

// answer is what the language model says to a prompt; without an answer, the prompt.
func (r *Recorded) answer(ctx context.Context, us []messages.Utterance, p messages.Prompt, model string) messages.AudioToLLM {
	said := one(ctx, "audio_to_llm", r.ways.Ask != nil, r.ways.Afterwards, func(ctx context.Context) (string, error) {
		return r.ways.Ask(ctx, us, p, model)
	})
	return messages.AudioToLLM{
		Success: said.Success, IsEmpty: said.IsEmpty, ExecTime: said.ExecTime, Error: said.Error,
		Results: &messages.LLMAnswer{Prompt: new(p.Text()), Response: said.Results},
	}
}

// one is the wrapper of an add-on that gives a single text.
func one(ctx context.Context, name string, known bool, budget time.Duration, work func(context.Context) (string, error)) *messages.AddonResult[*string] {
	return whole(ctx, name, known, budget, func(ctx context.Context) (*string, error) {
		text, err := work(ctx)
		return &text, err
	}, func(text *string) bool { return *text == "" })
}

func isEmpty[S ~[]E, E any](s S) bool { return len(s) == 0 }
