package translate

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"steno/session/addon/llm"
)

// Translation specifies how to translate.
type Translation struct {
	From     string // code of the language; empty: not known
	To       string // code of the language
	Topic    string // what the talk is about; may be empty
	Informal bool   // the speakers are on familiar terms
	Adapt    bool   // by what is meant where, rather than each sentence alone
	Lipsync  bool   // each about as long in speech as the original
}

// FromModel writes each sentence in another language: one text per sentence, as far as it can be
// had, beside the first error.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript, as Translation) ([]string, error) {
	with := llm.Object{}
	if as.Topic != "" {
		with["topic"] = as.Topic
	}
	says := as.says()
	return c.RewriteAll(ctx, t, func(ctx context.Context, p llm.Piece) ([]string, error) {
		return c.Rewrite(ctx, "translation", says, with, p, func(it llm.Item, s string) error {
			if s == "" {
				return errors.New("it has no text")
			}
			// One Chinese character may be a word of ten letters; there is no text that grows more.
			if utf8.RuneCountInString(s) > 12*utf8.RuneCountInString(it.Text)+100 {
				return errors.New("it is far longer than the original")
			}
			return nil
		})
	})
}

func (as Translation) says() string {
	var out strings.Builder
	out.WriteString("Translate each sentence")
	if as.From != "" {
		out.WriteString(" from the language " + code(as.From))
	}
	out.WriteString(" to the language " + code(as.To) +
		" (codes of ISO 639). Write each with its number n, all of its meaning and no more.")
	out.WriteString(" Signs like ⟦1⟧ stand for names that are hidden: keep each as it is, once, where it belongs.")
	if as.Topic != "" {
		out.WriteString(" The topic in the data tells what the conversation is about.")
	}
	if as.Adapt {
		out.WriteString(" Choose words by what is meant in the whole conversation, and put idioms as the other " +
			"language does.")
	} else {
		out.WriteString(" Stay close to the words of each sentence.")
	}
	if as.Informal {
		out.WriteString(" The speakers are on familiar terms: use informal address.")
	} else {
		out.WriteString(" Use the polite form of address where the language has one.")
	}
	if as.Lipsync {
		out.WriteString(" Each sentence should take about as long to say as the original.")
	}
	return out.String()
}

// code is a language's code as it may stand in a task: nothing but its letters.
func code(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' {
			return r
		}
		return -1
	}, s)
	return `"` + llm.Cut(s, 16) + `"`
}
