package sentences

import (
	"context"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/remote"
)

// timeLimit is the time for cutting a transcript, which takes milliseconds.
const timeLimit = time.Minute

// Texts is the result of an add-on that returns a list of texts.
type Texts = messages.AddonResult[messages.List[string]]

// Addon is sentences: the transcript cut into sentences.
type Addon struct{}

// Name implements [addon.Addon].
func (Addon) Name() string { return "sentences" }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(a.Name(), addon.PreRecordedOnly, addon.Embedded)
}

// Analyze implements [addon.TranscriptAnalyzer]. Older clients look for the result beside the
// transcription, others in it.
func (a Addon) Analyze(_ context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if j.Request.Sentences {
		result.Transcription.Sentences = Of(j, j.Utterances)
		same := result.Transcription.Sentences[0]
		result.Sentences = &same
	}
}

// Of returns the sentences of utterances, the job's own or their translation, if the job's request
// asks for them.
func Of(j *addon.Job, us []messages.Utterance) []Texts {
	if !j.Request.Sentences {
		return nil
	}
	began := j.Clock.Now()
	texts, err := addon.Run(context.Background(), j.Runner, Addon{}.Name(), timeLimit,
		func(context.Context) (messages.List[string], error) {
			var list messages.List[string]
			for _, s := range Split(us) {
				list = append(list, s.Text)
			}
			return list, nil
		})
	if err != nil {
		texts = nil
	}
	return []Texts{*addon.Wrap(j.Since(began), texts, len(texts) == 0, remote.Addon(err))}
}
