package addon_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/addontest"
)

// After a crash the chapters are those of the log, unless its message was too long to have all of
// them.
func TestChaptersOfTheLog(t *testing.T) {
	words := []messages.Word{{Word: " hello", End: 1}}
	logged := func(headline string, text string) messages.List[messages.Chapter] {
		return messages.List[messages.Chapter]{{
			Headline: headline, Text: text, Sentences: messages.List[messages.ChapterSentence]{{Sentence: text,
				Words: words}},
		}}
	}
	long := logged("logged", strings.Repeat("hello ", 100_000))
	for name, test := range map[string]struct {
		logged messages.List[messages.Chapter]
		fails  error
		want   string
	}{
		"whole":           {logged("logged", "hello"), nil, "logged"},
		"cut":             {long, nil, "made"},
		"cut, and no way": {long, errors.New("away"), "logged"},
	} {
		l := live(t, `{"post_processing":{"chapterization":true}}`, addontest.Providers{
			Chapters: func(context.Context, []messages.Utterance) ([]messages.Chapter, error) {
				return logged("made", "hello"), test.fails
			},
		}.Table())
		a := l.Results()
		k := messages.KindPostChapterization
		add(t, a, messages.Event{Key: messages.Key{Kind: k},
			Body: []byte(text(messages.PostChapterization{Results: test.logged}))})
		r := messages.LiveResult{Transcription: messages.Transcription{Utterances: []messages.Utterance{utterance("en",
			"hello")}}}
		if err := a.Finish(t.Context(), &r, func(messages.Message) error { return nil }); err != nil {
			t.Fatal(err)
		}
		got := r.Chapterization
		if !got.Success || len(got.Results) != 1 || got.Results[0].Headline != test.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
