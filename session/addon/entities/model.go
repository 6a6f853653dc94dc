package entities

import (
	"context"
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/llm"
)

// byModel lists the entities that a language model finds in an utterance, with the times of their
// words.
func byModel(ctx context.Context, model *llm.Client, u messages.Utterance) ([]messages.Entity, error) {
	found, err := FromModel(ctx, model, llm.TranscriptOfOne(u), append(Implemented(), NeedsModel()...))
	if err != nil {
		return nil, err
	}
	var list []messages.Entity
	for _, f := range found {
		e := messages.Entity{EntityType: f.Type, Text: Trim(f.Type, f.Text), Start: u.Start, End: u.End}
		if from, to := wordsOf(u, f); to > from {
			e.Start, e.End = u.Words[from].Start, u.Words[to-1].End
		}
		list = append(list, e)
	}
	return list, nil
}

// FindByModel lists the entities of some types that a language model finds in the words of an
// utterance.
func FindByModel(ctx context.Context, model *llm.Client, u messages.Utterance, types []string) ([]Found, error) {
	found, err := FromModel(ctx, model, llm.TranscriptOfOne(u), types)
	if err != nil {
		return nil, err
	}
	var list []Found
	for _, f := range found {
		if from, to := wordsOf(u, f); to > from {
			e := InRange(f.Type, u.Words, from, to, u.Language)
			// without particles around
			e.Value = InRange(f.Type, []messages.Word{{Word: f.Text}}, 0, 1, u.Language).Value
			list = append(list, e)
		}
	}
	return list, nil
}

// wordsOf returns the range of words [from,to) in which an entity of an utterance's trimmed text
// stands; empty: in none.
func wordsOf(u messages.Utterance, e ModelEntity) (from, to int) {
	bare := Trim(e.Type, e.Text)
	start := e.Start + strings.Index(e.Text, bare)
	end := start + len(bare)
	at := -(len(u.Text) - len(strings.TrimLeftFunc(u.Text, unicode.IsSpace)))
	for i, w := range u.Words {
		behind := at + len(w.Word)
		if at < end && behind > start {
			if to == 0 {
				from = i
			}
			to = i + 1
		}
		at = behind
	}
	return from, to
}
