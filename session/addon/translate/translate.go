// Package translate writes transcripts in other languages: by a language model, a server that
// speaks LibreTranslate's protocol, or Debian's apertium on this machine.
//
// What redaction has hidden stays hidden and in its place: its markers are kept from translators,
// or go through them as signs that are checked to come back.
//
// Translators run on their caller's goroutine, or ones that it waits for. Errors are a
// [remote.Error], or the cause of the context's end.
package translate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/addon/llm"
	"steno/session/addon/remote"
)

// Options specifies how to translate, as far as a translator can follow it.
type Options struct {
	Context  string // what the talk is about; may be empty
	Informal bool   // the speakers are on familiar terms
	Adapt    bool   // by what is meant in the whole text
	Lipsync  bool   // as long in speech as the original
}

// Translator writes texts in another language. It is safe for concurrent use.
type Translator interface {
	// Translate returns one text for each, in order; the slice of texts stays as it is. from may be
	// empty: not known. Empty texts stay so. Beside an error there are those that could be
	// translated, the others empty; or nothing at all.
	Translate(ctx context.Context, texts []string, from, to string, o Options) ([]string, error)
	// Can is nil where it knows both languages, by their codes; from may be empty. It may ask a
	// server, for a few seconds at most: the error is that it does not know them, or why that could
	// not be found out.
	Can(ctx context.Context, from, to string) error
	// Name is what operators know it by.
	Name() string
}

// model translates by a language model.
type model struct{ client *llm.Client }

// LLM translates by a language model, which takes all options, and is trusted to know all
// languages.
func LLM(c *llm.Client) Translator { return model{c} }

func (m model) Name() string { return "llm" }

func (m model) Can(_ context.Context, from, to string) error {
	if to == "" {
		return unknown(from, to)
	}
	return nil
}

func (m model) Translate(ctx context.Context, texts []string, from, to string, o Options) ([]string, error) {
	t := llm.Transcript{Language: from, Sentences: make([]llm.Sentence, len(texts))}
	for i, s := range texts {
		t.Sentences[i].Text = s
	}
	return FromModel(ctx, m.client, t, Translation{
		From: from, To: to, Topic: o.Context, Informal: o.Informal, Adapt: o.Adapt, Lipsync: o.Lipsync,
	})
}

var errUnknown = errors.New("no translator knows both languages")

// unknown is the error where no translator knows the languages.
func unknown(from, to string) error {
	if from == "" {
		from = "a language that is not known"
	}
	return remote.NewError(http.StatusUnprocessableEntity, "TranslationUnsupported",
		fmt.Sprintf("No translation from %.20s to %.20s on this server", from, to), errUnknown)
}

// line is a text without control characters, on one line.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) ||
			unicode.IsControl(r)
	}), " ")
}

// invalid is the error for an answer that is none. The reason holds nothing of it.
func invalid(reason string) error {
	return remote.NewError(http.StatusBadGateway, "TranslationInvalid", "The translator gave no valid answer",
		errors.New(reason))
}

// maxGrowth bounds how many times as long as a text its translation may be, or as short.
const maxGrowth = 12

// plausible is nil where a text may be the translation of another by its length. The error holds
// nothing of either.
func plausible(s, original string) error {
	long, was := utf8.RuneCountInString(s), utf8.RuneCountInString(original)
	switch {
	case long > maxGrowth*was+100:
		return errors.New("a text is far longer than the original")
	case was > maxGrowth*long+100:
		return errors.New("a text is far shorter than the original")
	}
	return nil
}
