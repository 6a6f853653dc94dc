package asr

import "context"

// What a recognizer may be able to do beside recognition. Each ability is an interface that it may implement; their
// methods may be called from any goroutine.

// Lister tells what models a recognizer has.
type Lister interface {
	// Models lists the models that take utterances now, those preferred for a language first. The slice is the caller's.
	Models(ctx context.Context) ([]Model, error)
}

// Model is something that recognizes some languages.
type Model struct {
	// Name is unique within its recognizer.
	Name string
	// Languages are codes of the API.
	Languages []string
	// Partials says that it gives partials while an utterance is spoken.
	Partials bool
	// Detects says that it tells which of its languages is spoken, where it is not told.
	Detects bool
}

// Identifier tells which language is spoken.
type Identifier interface {
	// Identify returns the code of the likeliest language among those given (all it knows, if none are). Errors:
	// ErrUnavailable (nothing here that could, or no room now), ErrLanguage (none of those is known to it), or the
	// context's.
	Identify(ctx context.Context, samples []int16, among []string) (string, error)
}

// Punctuator puts punctuation and capitals into text.
type Punctuator interface {
	// Punctuate returns the text with marks and capitals added, its words otherwise unchanged. Errors are those of
	// [Identifier].
	Punctuate(ctx context.Context, language, text string) (string, error)
}

// Diarizer tells speakers apart.
type Diarizer interface {
	// Diarize returns who speaks when, ordered by start; turns may overlap. Errors: ErrUnavailable, or the context's.
	Diarize(ctx context.Context, samples []int16, want Speakers) ([]Turn, error)
}

// Speakers says how many are expected: exactly so many, or 0 for unknown.
type Speakers struct{ Exactly int }

// Turn is a stretch of one speaker's speech.
type Turn struct {
	Start, End int // samples
	Speaker    int // from 0, in the order of first appearance
}

// Denoiser takes noise out of speech.
type Denoiser interface {
	// Denoise starts a stream. Cancelling ctx ends it. Errors: ErrUnavailable, or the context's.
	Denoise(ctx context.Context) (Denoising, error)
}

// Denoising is one stream of audio being freed of noise. Its methods are called from one goroutine.
type Denoising interface {
	// Write takes samples and returns those that are ready, which lag behind. Both slices are the caller's afterwards.
	Write(samples []int16) ([]int16, error)
	// Close returns the rest and ends the stream.
	Close() ([]int16, error)
}
