package capabilities

import (
	"context"
	"fmt"
	"slices"

	"steno/session/asr"
	"steno/session/asr/riva/wire"
	"steno/session/asr/sherpa/folder"
)

// Identifier is an [asr.Identifier] with a Whisper model of many languages.
type Identifier struct {
	gate      *gate
	library   identifierLibrary
	languages []string
}

// identifierLibrary is the model in the library.
type identifierLibrary interface {
	// language returns the library's code of the likeliest of all languages, "" if it cannot tell.
	language(samples []float32) string
	free()
}

var _ asr.Identifier = (*Identifier)(nil)

// Whisper reads less than 30 s; shorter audio is padded with silence.
const (
	longestStretch  = 29 * asr.Rate
	shortestStretch = asr.Rate
	// maxStretches bounds how often the library is asked about one utterance.
	maxStretches = 3
)

// NewIdentifier loads the model, with that many threads for one call.
func NewIdentifier(m folder.Model, threads int) (*Identifier, error) {
	if err := wants(m, folder.OfflineWhisper); err != nil {
		return nil, err
	}
	if !m.Can.Identify {
		return nil, loaded(m, errRefused)
	}
	library, err := loadIdentifier(m, threads)
	if err != nil {
		return nil, loaded(m, err)
	}
	return &Identifier{newGate(), library, m.Languages}, nil
}

// Identify implements [asr.Identifier]. The library returns the likeliest of all its languages; if
// that is not among the given ones, further stretches of the audio are tried; if the result is none
// of them for any stretch, the error is ErrLanguage.
func (i *Identifier) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	candidates := i.languages
	if len(among) > 0 {
		candidates = slices.DeleteFunc(slices.Clone(among), func(code string) bool {
			return !slices.Contains(i.languages, code)
		})
	}
	switch {
	case len(candidates) == 0:
		return "", asr.ErrLanguage
	case len(samples) == 0:
		return "", unavailable("no samples")
	case len(candidates) == 1 && len(among) > 0:
		return candidates[0], nil
	}
	for _, stretch := range stretches(samples) {
		var heard string
		if err := i.gate.do(ctx, func() { heard = i.library.language(floats(stretch)) }); err != nil {
			return "", err
		}
		if code := wire.Code(heard); slices.Contains(candidates, code) {
			return code, nil
		}
	}
	return "", fmt.Errorf("%w: heard is none of those asked for", asr.ErrLanguage)
}

// stretches returns what the library is asked about, in turn: the beginning, then the parts of it.
func stretches(samples []int16) [][]int16 {
	samples = samples[:min(len(samples), longestStretch)]
	if len(samples) < 2*shortestStretch {
		return [][]int16{append(slices.Clip(samples), make([]int16, max(0, shortestStretch-len(samples)))...)}
	}
	half := len(samples) / 2
	return [][]int16{samples, samples[:half], samples[half:]}[:maxStretches]
}

// Close frees the model.
func (i *Identifier) Close() error {
	if i.gate.close() {
		i.library.free()
	}
	return nil
}
