package addon

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/sentences"
)

// WithModel are the ways that a language model adds, and of those that there are without one the ones that uses names:
// summarization, chapterization, sentiment_analysis, named_entity_recognition.
func (w Ways) WithModel(c *llm.Client, uses []string) Ways {
	w.Ask = func(ctx context.Context, us []messages.Utterance, p messages.Prompt, model string) (string, error) {
		t, _ := talk(us)
		return c.Ask(ctx, t, p, model)
	}
	w.Extract = func(ctx context.Context, us []messages.Utterance, classes []string) (string, error) {
		t, _ := talk(us)
		return c.StructuredData(ctx, t, classes)
	}
	w.Names = func(ctx context.Context, us []messages.Utterance) (string, error) { return consistent(ctx, c, us) }
	w.modelled = slices.Clone(uses)
	for _, use := range uses {
		switch use {
		case "summarization":
			w.Summarize = func(ctx context.Context, us []messages.Utterance, kind string) (string, error) {
				t, _ := talk(us)
				return c.Summarize(ctx, t, kind)
			}
		case "chapterization":
			w.Chapters = func(ctx context.Context, us []messages.Utterance) ([]messages.Chapter, error) {
				return divided(ctx, c, us)
			}
		case "sentiment_analysis":
			w.Sentiments = func(ctx context.Context, us []messages.Utterance) ([]messages.Sentiment, error) {
				return moods(ctx, c, us)
			}
		case "named_entity_recognition":
			w.Entities = func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) { return called(ctx, c, u) }
		}
	}
	return w
}

// WithConfidant are the ways with a language model that may read what is to be hidden from everybody else, to find more
// of it than is embedded.
func (w Ways) WithConfidant(c *llm.Client) Ways {
	w.Confide = func(ctx context.Context, u messages.Utterance, types []string) ([]entities.Found, error) {
		found, err := c.Entities(ctx, utteranceTalk(u), types)
		if err != nil {
			return nil, err
		}
		var list []entities.Found
		for _, f := range found {
			if from, to := touched(u, f); to > from {
				list = append(list, entities.Told(f.Type, u.Words, from, to, u.Language))
			}
		}
		return list, nil
	}
	return w
}

// talk is what was said, sentence by sentence, as the model is told of it.
func talk(us []messages.Utterance) (llm.Talk, []sentences.Sentence) {
	all := sentences.Split(us)
	t := llm.Talk{Sentences: make([]llm.Sentence, len(all))}
	for i, s := range all {
		t.Sentences[i] = llm.Sentence{Text: s.Text, Speaker: s.Speaker}
		if t.Language == "" {
			t.Language = s.Language
		}
	}
	return t, all
}

// divided puts the model's chapters to the times of their sentences.
func divided(ctx context.Context, c *llm.Client, us []messages.Utterance) ([]messages.Chapter, error) {
	t, all := talk(us)
	parts, err := c.Chapters(ctx, t)
	if err != nil {
		return nil, err
	}
	list := make([]messages.Chapter, 0, len(parts))
	for _, p := range parts {
		chapter := messages.Chapter{Headline: p.Headline, Gist: p.Gist, Summary: p.Summary, Keywords: p.Keywords}
		var texts []string
		for _, s := range all[p.First : p.Last+1] {
			texts = append(texts, s.Text)
			chapter.Sentences = append(chapter.Sentences, messages.ChapterSentence{Sentence: s.Text, Start: s.Start, End: s.End, Words: s.Words})
			chapter.End = max(chapter.End, s.End)
		}
		chapter.Start, chapter.Text = all[p.First].Start, strings.Join(texts, " ")
		list = append(list, chapter)
	}
	return list, nil
}

// moods are those of the sentences that the model could tell of.
func moods(ctx context.Context, c *llm.Client, us []messages.Utterance) ([]messages.Sentiment, error) {
	t, all := talk(us)
	felt, err := c.Sentiments(ctx, t)
	var list []messages.Sentiment
	for i, m := range felt {
		if m == (llm.Mood{}) {
			continue
		}
		s := all[i]
		list = append(list, messages.Sentiment{
			Sentiment: m.Sentiment, Emotion: m.Emotion, Text: s.Text, Start: s.Start, End: s.End, Channel: s.Channel, Speaker: s.Speaker,
		})
	}
	return list, err
}

// consistent is the JSON text of the names that were written in several ways: an object for each, with the way that is
// right and the others.
func consistent(ctx context.Context, c *llm.Client, us []messages.Utterance) (string, error) {
	t, _ := talk(us)
	names, err := c.Names(ctx, t)
	if err != nil || len(names) == 0 {
		return "", err
	}
	type name struct {
		Name     string   `json:"name"`
		Variants []string `json:"variants"`
	}
	list := make([]name, len(names))
	for i, n := range names {
		list[i] = name(n)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("encode names: %w", err)
	}
	return string(text), nil
}

// called puts the model's entities to the times of their words.
func called(ctx context.Context, c *llm.Client, u messages.Utterance) ([]messages.Entity, error) {
	found, err := c.Entities(ctx, utteranceTalk(u), append(entities.Implemented(), entities.NeedsModel()...))
	if err != nil {
		return nil, err
	}
	return placed(u, found), nil
}

// utteranceTalk is an utterance as the model is told of it.
func utteranceTalk(u messages.Utterance) llm.Talk {
	return llm.Talk{Language: u.Language, Sentences: []llm.Sentence{{Text: strings.TrimSpace(u.Text)}}}
}

// placed gives entities of an utterance's text, told by bytes, the times of their words.
func placed(u messages.Utterance, found []llm.Entity) []messages.Entity {
	var list []messages.Entity
	for _, f := range found {
		e := messages.Entity{EntityType: f.Type, Text: entities.Bare(f.Type, f.Text), Start: u.Start, End: u.End}
		if from, to := touched(u, f); to > from {
			e.Start, e.End = u.Words[from].Start, u.Words[to-1].End
		}
		list = append(list, e)
	}
	return list
}

// touched is the range of words in which an entity of an utterance's text stands; empty: in none.
func touched(u messages.Utterance, e llm.Entity) (from, to int) {
	bare := entities.Bare(e.Type, e.Text)
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
