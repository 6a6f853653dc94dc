package asr

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotOffered means that a recognizer lacks the requested capability. It is an [ErrUnavailable].
var ErrNotOffered = fmt.Errorf("%w: capability not offered", ErrUnavailable)

// Cutter is the capability of a [Stream] to take samples back, for speech that is cut at a place
// found afterwards. Its methods are called by the goroutine that writes.
type Cutter interface {
	// Tentative reports that the samples from the utterance's n-th on may be taken back, those
	// written later included; n is negative where none may. At first none may. It is a hint, which
	// lets an engine decode ahead what is sure to stay, and never changes a result.
	Tentative(n int) error
	// Cut takes back all but the first n samples: the final is that of an utterance of these alone.
	// After it an utterance has no more partials. Any error means that the utterance must be given
	// to a fresh stream; errors.ErrUnsupported that this stream cannot cut.
	Cut(n int) error
}

// Tentative calls the method of a stream that has it.
func Tentative(s Stream, n int) error {
	if c, ok := s.(Cutter); ok {
		return c.Tentative(n)
	}
	return nil
}

// Cut calls the method of a stream that has it, and returns errors.ErrUnsupported for another.
func Cut(s Stream, n int) error {
	if c, ok := s.(Cutter); ok {
		return c.Cut(n)
	}
	return fmt.Errorf("cut utterance: %w", errors.ErrUnsupported)
}

// MaxFollowing is how much audio after an utterance [Follower.Follow] is given at most: 1.5 s.
const MaxFollowing = 3 * Rate / 2

// Follower is the capability of a [Stream] to use the audio that follows an utterance where speech
// was cut by force. The method is called by the goroutine that writes.
type Follower interface {
	// Follow passes the samples that directly follow the utterance's last, at most MaxFollowing. It
	// is called once at most, before End. They are context, as [Params].Context is what comes
	// before: the final has the utterance's words alone. The stream does not keep the slice.
	Follow(samples []int16) error
}

// Follow calls the method of a stream that has it.
func Follow(s Stream, samples []int16) error {
	if f, ok := s.(Follower); ok {
		return f.Follow(samples)
	}
	return nil
}

// Lister is the capability of listing models.
type Lister interface {
	// Models returns the models that accept utterances now, the preferred one of each language
	// first. The slice is the caller's. Errors: ErrUnavailable, errors.ErrUnsupported (it lists
	// none, and accepts utterances all the same), or the context's. Any goroutine may call it.
	Models(ctx context.Context) ([]Model, error)
}

// Model describes a model of a recognizer.
type Model struct {
	// Name is unique within its recognizer.
	Name string
	// Languages are codes of the API.
	Languages []string
	// Partials is set if the model returns partials while an utterance is spoken.
	Partials bool
	// Detects is set if the model finds out which of its languages is spoken where none is given.
	Detects bool
	// Context is set if the model uses the context of utterances ([Params].Context).
	Context bool
}

// Contextual is the capability of reporting whether context is of use.
type Contextual interface {
	// TakesContext reports whether [Params].Context may be of use to an utterance in one of the
	// languages; none means that it may be in any. It does not block. Any goroutine may call it.
	TakesContext(languages []string) bool
}

// TakesContext calls the method of a recognizer that has it. Of another it is not known, so the
// answer is true.
func TakesContext(r Recognizer, languages []string) bool {
	c, ok := r.(Contextual)
	return !ok || c.TakesContext(languages)
}

// Identifier is the capability of identifying the language of speech.
type Identifier interface {
	// Identify returns the code of the likeliest language of those in among, or of all it knows if
	// among is empty. It reads the samples until it returns. Errors: ErrUnavailable (no model, or
	// no room now), ErrLanguage (it knows none of the languages, or hears none of them), or the
	// context's. Any goroutine may call it.
	Identify(ctx context.Context, samples []int16, among []string) (string, error)
}

// Punctuator is the capability of restoring punctuation and capitals.
type Punctuator interface {
	// Punctuate returns the text with punctuation marks and capitals added, its words otherwise
	// unchanged. An empty language means unknown. Errors are those of [Identifier]. Any goroutine
	// may call it.
	Punctuate(ctx context.Context, language, text string) (string, error)
}

// Diarizer is the capability of telling the speakers of a recording apart.
type Diarizer interface {
	// Diarize returns who speaks when, ordered by start; turns may overlap. It reads the samples
	// until it returns; the turns are the caller's. Errors: ErrUnavailable, or the context's. Any
	// goroutine may call it.
	Diarize(ctx context.Context, samples []int16, want Speakers) ([]Turn, error)
}

// Speakers is how many speakers are expected: exactly that many, or an unknown number if Exactly is
// 0.
type Speakers struct{ Exactly int }

// Turn is a stretch of one speaker's speech.
type Turn struct {
	// Start and End are samples from the beginning of the recording; 0 <= Start <= End.
	Start, End int
	// Speaker counts from 0 in the order of first appearance.
	Speaker int
}

// Denoiser is the capability of removing noise from speech.
type Denoiser interface {
	// Denoise starts a stream, which ends when ctx is cancelled. Errors: ErrUnavailable, or the
	// context's. Any goroutine may call it.
	Denoise(ctx context.Context) (DenoiseStream, error)
}

// DenoiseStream removes noise from one stream of audio. One goroutine calls its methods.
type DenoiseStream interface {
	// Write takes samples and returns those that are ready, which lag. Both slices are the caller's
	// afterwards.
	Write(samples []int16) ([]int16, error)
	// Close returns the remaining samples and ends the stream.
	Close() ([]int16, error)
}

// Delegate implements [Identifier], [Punctuator], [Diarizer] and [Denoiser] by other recognizers. A
// recognizer that is made of others, or stands in front of one, embeds a Delegate and thereby
// offers all capabilities of theirs.
//
// The function is the policy. It calls try for one candidate after the other, in its order of
// preference, until one has succeeded or there is no point in asking another, and returns the error
// of the whole request. try returns [ErrNotOffered] itself, not an error that wraps it, if the
// candidate is without the capability, else the candidate's error. The request's answer is that of
// the last candidate tried.
type Delegate func(ctx context.Context, try func(candidate any) error) error

// Identify implements [Identifier].
func (d Delegate) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	return delegate(ctx, d, func(i Identifier) (string, error) { return i.Identify(ctx, samples, among) })
}

// Punctuate implements [Punctuator].
func (d Delegate) Punctuate(ctx context.Context, language, text string) (string, error) {
	return delegate(ctx, d, func(p Punctuator) (string, error) { return p.Punctuate(ctx, language, text) })
}

// Diarize implements [Diarizer].
func (d Delegate) Diarize(ctx context.Context, samples []int16, want Speakers) ([]Turn, error) {
	return delegate(ctx, d, func(z Diarizer) ([]Turn, error) { return z.Diarize(ctx, samples, want) })
}

// Denoise implements [Denoiser].
func (d Delegate) Denoise(ctx context.Context) (DenoiseStream, error) {
	return delegate(ctx, d, func(n Denoiser) (DenoiseStream, error) { return n.Denoise(ctx) })
}

// delegate has the policy d look for a candidate that can answer ask.
func delegate[Capability, Answer any](ctx context.Context, d Delegate, ask func(Capability) (Answer,
	error)) (answer Answer, err error) {
	err = d(ctx, func(candidate any) error {
		capable, ok := candidate.(Capability)
		if !ok {
			return ErrNotOffered
		}
		var err error
		answer, err = ask(capable)
		return err
	})
	return answer, err
}
