package messages_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"steno/gateway/openapi"
	"steno/messages"
)

// mebibyte is the longest message that all clients take.
const mebibyte = 1 << 20

// payloads are the schemas of the messages about a whole session, by their kind.
func payloads(t *testing.T) map[messages.Kind]*jsonschema.Schema {
	t.Helper()
	doc, err := openapi.NewAsyncAPI(openapi.Info{Title: "test", Version: "2", Description: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("test:doc", tree); err != nil {
		t.Fatal(err)
	}
	schemas := map[messages.Kind]*jsonschema.Schema{}
	for kind, name := range map[messages.Kind]string{
		messages.KindPostTranscript: "PostTranscript", messages.KindPostSummarization: "PostSummarization",
		messages.KindPostChapterization: "PostChapterization", messages.KindPostFinalTranscript: "PostFinalTranscript",
	} {
		if schemas[kind], err = c.Compile("test:doc#/components/messages/" + name + "/payload"); err != nil {
			t.Fatal(err)
		}
	}
	return schemas
}

// talk is a session of so many utterances of so many words of so many letters, with results of all
// add-ons, in so many chapters with summaries of so many words and in so many languages.
type talk struct{ utterances, words, letters, chapters, long, targets int }

func (k talk) utterance(i int) messages.Utterance {
	u := messages.Utterance{Start: float64(i), End: float64(i) + 0.9, Confidence: 0.5, Channel: i % 8, Language: "en"}
	for range k.words {
		u.Words = append(u.Words, messages.Word{Word: " " + strings.Repeat("w", k.letters), Start: u.Start, End: u.End,
			Confidence: 0.25})
	}
	u.Text = messages.TextOf(u.Words)
	return u
}

func (k talk) result() messages.LiveResult {
	r := messages.LiveResult{Metadata: messages.Metadata{AudioDuration: 12.5, NumberOfDistinctChannels: 8,
		BillingTime: 100}}
	var us []messages.Utterance
	var entities messages.List[messages.Entity]
	var moods []messages.Sentiment
	chapters := make(messages.List[messages.Chapter], k.chapters)
	for i := range k.utterances {
		u := k.utterance(i)
		us = append(us, u)
		entities = append(entities, messages.Entity{EntityType: "NAME", Text: u.Text, Start: u.Start, End: u.End})
		moods = append(moods, messages.Sentiment{Sentiment: "neutral", Emotion: "neutral", Text: u.Text,
			Start: u.Start, End: u.End})
		if k.chapters > 0 {
			c := &chapters[i*k.chapters/k.utterances]
			c.Sentences = append(c.Sentences, messages.ChapterSentence{Sentence: u.Text, Start: u.Start, End: u.End,
				Words: u.Words})
		}
	}
	for i := range chapters {
		var text strings.Builder
		for _, s := range chapters[i].Sentences {
			text.WriteString(s.Sentence)
		}
		chapters[i].Text, chapters[i].Summary, chapters[i].Keywords = text.String(), strings.Repeat("sum ", k.long),
			[]string{"key"}
	}
	r.Transcription = messages.Transcription{FullTranscript: messages.FullText(us), Languages: []string{"en"},
		Utterances: us}
	felt, _ := json.Marshal(moods)
	summary := strings.Repeat("sum ", k.long)
	r.Summarization = &messages.AddonResult[*string]{Success: true, Results: &summary}
	r.SentimentAnalysis = &messages.AddonResult[string]{Success: true, Results: string(felt)}
	r.NamedEntityRecognition = &messages.AddonResult[messages.List[messages.Entity]]{Success: true, Results: entities}
	r.Chapterization = &messages.AddonResult[messages.List[messages.Chapter]]{Success: true, Results: chapters}
	if k.targets > 0 {
		t := messages.TranslationResult{FullTranscript: r.Transcription.FullTranscript, Languages: []string{"fr"},
			Utterances: us}
		r.Translation = &messages.AddonResult[messages.List[messages.TranslationResult]]{Success: true}
		for range k.targets {
			r.Translation.Results = append(r.Translation.Results, t)
		}
	}
	return r
}

// about are the messages about a session, with the data that they would have if there were no
// limit.
func about(r messages.LiveResult) map[messages.Message]any {
	type results struct {
		Results any `json:"results"`
	}
	bare := r
	bare.Messages = nil
	return map[messages.Message]any{
		&messages.PostTranscript{Transcription: r.Transcription}:        r.Transcription,
		&messages.PostSummarization{Results: r.Summarization.Results}:   results{r.Summarization.Results},
		&messages.PostChapterization{Results: r.Chapterization.Results}: results{r.Chapterization.Results},
		&messages.PostFinalTranscript{LiveResult: r}:                    bare,
	}
}

// TestNoMessageIsTooLong has sessions of any length: their messages are short enough, as described,
// and whole if that is short enough.
func TestNoMessageIsTooLong(t *testing.T) {
	schemas := payloads(t)
	rapid.Check(t, func(t *rapid.T) {
		k := talk{
			utterances: rapid.SampledFrom([]int{0, 1, 2, 3, 5, 10, 20, 30, 50, 180}).Draw(t, "utterances"),
			words:      rapid.IntRange(1, 20).Draw(t, "words"),
			letters:    rapid.SampledFrom([]int{1, 10, 60}).Draw(t, "letters"), chapters: rapid.IntRange(1, 30).Draw(t,
				"chapters"),
			long: rapid.SampledFrom([]int{1, 10, 100, 1000, 10_000}).Draw(t, "long"), targets: rapid.IntRange(0,
				3).Draw(t, "targets"),
		}
		r := k.result()
		original := encoded(t, r)
		for m, whole := range about(r) {
			before := encoded(t, whole)
			got := messages.Append(nil, messages.Envelope{SessionID: "45463597-20b7-4af7-b3b3-f5fb778203ab",
				CreatedAt: time.Unix(0, 0)}, m)
			if len(got) > mebibyte {
				t.Errorf("%v has %d bytes", m.Kind(), len(got))
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
			if err != nil {
				t.Fatalf("%v: %v", m.Kind(), err)
			}
			if err := schemas[m.Kind()].Validate(v); err != nil {
				t.Errorf("%v: %v", m.Kind(), err)
			}
			if same := sameData(t, got, before); same != (len(before) < mebibyte-1000) &&
				(len(before) < mebibyte-1000 || len(before) > mebibyte) {
				t.Errorf("%v of %d bytes is whole: %v", m.Kind(), len(before), same)
			} else if !same && bytes.Contains(got, []byte(`"word":`)) {
				t.Errorf("%v of %d bytes lacks something else than words", m.Kind(), len(before))
			}
		}
		if !bytes.Equal(encoded(t, r), original) {
			t.Error("a message changed what it was made of")
		}
	})
}

func encoded(t *rapid.T, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sameData reports whether a message's data is this, apart from the messages of a result.
func sameData(t *rapid.T, message, data []byte) bool {
	var m struct{ Data json.RawMessage }
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(m.Data, bytes.Replace(data, []byte(`,"messages":[]`), nil, 1))
}

// TestWhatGoesFirst holds in which order things are left out of the longest messages.
func TestWhatGoesFirst(t *testing.T) {
	text := func(m messages.Message) string {
		return string(messages.Append(nil, messages.Envelope{SessionID: "S"}, m))
	}
	final := func(k talk) string { return text(messages.PostFinalTranscript{LiveResult: k.result()}) }
	chapters := func(k talk) string {
		return text(messages.PostChapterization{Results: k.result().Chapterization.Results})
	}
	transcript := func(k talk) string { return text(messages.PostTranscript{Transcription: k.result().Transcription}) }
	for _, test := range []struct {
		of          func(talk) string
		about       talk
		has, hasNot string
	}{
		{chapters, talk{1000, 20, 5, 5, 1, 0}, `"sentence":`, `"word":`},
		{chapters, talk{100, 7, 1000, 5, 1, 0}, `"text":" w`, `"sentence":`},
		{chapters, talk{100, 12, 1000, 5, 1, 0}, `"summary":"sum "`, ` w`},
		{chapters, talk{3, 1, 5, 3, 100_000, 0}, `"results":[]`, `"summary"`},
		{transcript, talk{1000, 20, 5, 0, 1, 0}, `"text":" w`, `"word":`},
		{transcript, talk{100, 7, 1000, 0, 1, 0}, `"full_transcript":"w`, `"text":`},
		{transcript, talk{100, 12, 1000, 0, 1, 0}, `"languages":["en"]`, `ww`},
		{final, talk{500, 20, 5, 5, 1, 1}, `"sentence":" w`, `"word":`},
		{final, talk{100, 2, 800, 5, 1, 1}, `"entity_type":"NAME"`, `"sentence":`},
		{final, talk{100, 3, 930, 5, 1, 1}, `"text":" w`, `"entity_type":`},
		{final, talk{100, 4, 1050, 5, 1, 1}, `"full_transcript":"w`, `"text":" w`},
		{final, talk{100, 4, 1050, 5, 1, 1}, `"languages":["fr"]`, `"sentiment":`},
		{final, talk{100, 7, 1000, 5, 1, 1}, `"full_transcript":"w`, `"languages":["fr"]`},
		{final, talk{100, 12, 1000, 5, 1, 1}, `"billing_time":100`, `ww`},
	} {
		got := test.of(test.about)
		if !strings.Contains(got, test.has) || strings.Contains(got, test.hasNot) || len(got) > mebibyte {
			t.Errorf("%.60s… of %+v has %d bytes: wants %s: %v; %s: %v", got, test.about, len(got),
				test.has, strings.Contains(got, test.has), test.hasNot, strings.Contains(got, test.hasNot))
		}
	}
}
