package capabilities

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"steno/session/asr"
	"steno/session/asr/riva/wire"
	"steno/session/asr/sherpa/folder"
)

// Punctuator is an [asr.Punctuator] with a punctuation model.
type Punctuator struct {
	gate      *gate
	library   punctuatorLibrary
	languages []string
	// capitals is set if the model adds no capitals; sentences then begin with one.
	capitals bool
}

// punctuatorLibrary is the model in the library.
type punctuatorLibrary interface {
	punctuate(text string) string
	free()
}

var _ asr.Punctuator = (*Punctuator)(nil)

// maxWord bounds each word of a text, in bytes: it must fit into the 200 tokens that the streaming
// model reads in one call, each of a byte or more.
const maxWord = 190

// NewPunctuator loads a model of either kind, with that many threads for one call.
func NewPunctuator(m folder.Model, threads int) (*Punctuator, error) {
	if err := wants(m, folder.Punctuation, folder.OnlinePunctuation); err != nil {
		return nil, err
	}
	library, err := loadPunctuator(m, threads)
	if err != nil {
		return nil, loaded(m, err)
	}
	return &Punctuator{newGate(), library, m.Languages, m.Kind == folder.Punctuation}, nil
}

// Punctuate implements [asr.Punctuator]. Spaces and words stay as they are: text of which the
// library changed a word is returned unchanged, as is text that it cannot take.
func (p *Punctuator) Punctuate(ctx context.Context, language, text string) (string, error) {
	switch {
	case language != "" && !slices.Contains(p.languages, language):
		return "", asr.ErrLanguage
	case len(text) > wire.MaxText:
		return "", unavailable(fmt.Sprintf("text of more than %d bytes", wire.MaxText))
	case !takes(text):
		return text, ctx.Err()
	}
	var marked string
	if err := p.gate.do(ctx, func() { marked = p.library.punctuate(strings.ToLower(text)) }); err != nil {
		return "", err
	}
	return merge(text, marked, p.capitals), nil
}

// takes reports whether the library can be given a text.
func takes(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && utf8.ValidString(text) && !strings.Contains(text, "\x00") &&
		!slices.ContainsFunc(words, func(w string) bool { return len(w) > maxWord })
}

// Close frees the model.
func (p *Punctuator) Close() error {
	if p.gate.close() {
		p.library.free()
	}
	return nil
}
