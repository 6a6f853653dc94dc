package punctuation

import (
	"context"
	"time"

	"steno/messages"
	"steno/session/addon"
)

// Model punctuates a text in a language with an engine's punctuation model. An error is that there
// is none for the language, or that it failed: pauses are used then.
type Model func(ctx context.Context, text, language string) (string, error)

// Addon is punctuation_enhanced.
type Addon struct{ model Model }

// NewAddon returns the add-on with a model, which may be nil.
func NewAddon(m Model) Addon { return Addon{m} }

// Name implements [addon.Addon].
func (Addon) Name() string { return "punctuation_enhanced" }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	engine := ""
	if a.model != nil {
		engine = addon.Engine
	}
	return addon.Offer(a.Name(), addon.PreRecordedOnly, engine, addon.Embedded)
}

// grace is how long the embedded rules may take after the model's deadline.
const grace = time.Minute

// Edit implements [addon.TranscriptEditor]. It adds punctuation marks and capitals to the
// utterances, or leaves them unchanged if that fails. Where the model has no answer in time, pauses
// decide.
func (a Addon) Edit(ctx context.Context, j *addon.Job) error {
	if !j.Request.PunctuationEnhanced {
		return nil
	}
	limited, cancel := j.Clock.WithTimeout(ctx, j.PostProcessing)
	defer cancel()
	model := func(text, language string) (string, bool) {
		if a.model == nil || limited.Err() != nil {
			return "", false
		}
		out, err := a.model(limited, text, language)
		return out, err == nil
	}
	punctuated, err := addon.Run(ctx, j.Runner, a.Name(), j.PostProcessing+grace,
		func(context.Context) ([]messages.Utterance, error) {
			return Enhance(j.Utterances, model), nil
		})
	if err == nil {
		j.Utterances = punctuated
	}
	return nil
}
