package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// register records the params of each stream.
type register struct {
	asr.Recognizer
	mu   sync.Mutex
	told []asr.Params
}

func (r *register) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.mu.Lock()
	r.told = append(r.told, p)
	r.mu.Unlock()
	return r.Recognizer.Open(ctx, p)
}

const vocabularyOf = `"realtime_processing":{"custom_vocabulary":%v,"custom_vocabulary_config":{"default_intensity":0.25,"vocabulary":[
	"Steno",{"value":"Ada","intensity":0.75,"pronunciations":["aida"]},{"value":"Bär","language":"de"},{"value":"Été","language":"fr"}]}}`

// Recognizers receive the terms of the utterance's possible languages.
func TestTheVocabularyIsTold(t *testing.T) {
	for _, c := range []struct {
		on        bool
		languages string
		want      string
	}{
		{true, `["en"]`, "Steno 0.25 [], Ada 0.75 [aida]"},
		{true, `["de"]`, "Steno 0.25 [], Ada 0.75 [aida], Bär 0.25 []"},
		{true, `["en","fr"]`, "Steno 0.25 [], Ada 0.75 [aida], Été 0.25 []"},
		{true, `[]`, "Steno 0.25 [], Ada 0.75 [aida], Bär 0.25 [], Été 0.25 []"},
		{false, `["en"]`, ""},
	} {
		r := &register{Recognizer: scripted.New(scripted.Config{})}
		var m Memory
		request := fmt.Sprintf(`{"endpointing":0.3,"language_config":{"languages":%s,"code_switching":true},`+
			vocabularyOf+`}`, c.languages, c.on)
		s := openWith(t, &m, request, asr.Live, r)
		write(t, s, twoSentences())
		stopAndWait(t, s)
		if len(r.told) < 2 {
			t.Fatalf("%d utterances", len(r.told))
		}
		for _, p := range r.told {
			var terms []string
			for _, term := range p.Vocabulary {
				terms = append(terms, fmt.Sprint(term.Text, " ", term.Intensity, " ", term.Pronunciations))
			}
			if got := strings.Join(terms, ", "); got != c.want {
				t.Errorf("%v in %s: told %q, want %q", c.on, c.languages, got, c.want)
			}
		}
	}
}

// An utterance that engines lose is fed to the next with its vocabulary.
func TestTheVocabularyIsToldAgain(t *testing.T) {
	b := &lossyRecognizer{Recognizer: scripted.New(scripted.Config{})}
	b.lives.Store(3)
	r := &register{Recognizer: b}
	var m Memory
	s := openWith(t, &m, `{"endpointing":0.3,"language_config":{"languages":["de"]},`+fmt.Sprintf(vocabularyOf, true)+
		`}`, asr.Live, r)
	write(t, s, twoSentences())
	stopAndWait(t, s)
	if len(r.told) < 5 {
		t.Fatalf("told %d times", len(r.told))
	}
	for _, p := range r.told {
		if len(p.Vocabulary) != 3 {
			t.Errorf("attempt %d was told of %d words", p.Attempt, len(p.Vocabulary))
		}
	}
}

// Words are spelled as the customer wants them before they are sent: in partials, finals and the
// result.
func TestNobodySeesTheOtherSpelling(t *testing.T) {
	pcm := twoSentences()
	plain := playReplay(t, withPartials, pcm).Outcome().Result.Transcription
	first := strings.TrimSpace(plain.Utterances[0].Words[0].Word)
	all := everything()
	var m Memory
	synctest.Test(t, func(t *testing.T) {
		s := open(t, &m, strings.TrimSuffix(withPartials, "}")+`,"realtime_processing":{"custom_spelling":true,
			"custom_spelling_config":{"spelling_dictionary":{"Two Words":["`+first+`"]}}}}`, asr.Live, all)
		for piece := range slices.Chunk(pcm, 3200) {
			write(t, s, piece)
			synctest.Wait()
		}
		stopAndWait(t, s)
	})
	partials := 0
	for _, ev := range all.events {
		if strings.Contains(string(ev.Body), first) {
			t.Errorf("%s still says %s", ev.Body, first)
		}
		if ev.Kind == messages.KindPartial && strings.Contains(string(ev.Body), "Two Words") {
			partials++
		}
	}
	got := m.Outcome().Result.Transcription
	if want := strings.ReplaceAll(plain.FullTranscript, first, "Two Words"); partials == 0 || got.FullTranscript !=
		want {
		t.Errorf("%d partials, transcript %q, want %q", partials, got.FullTranscript, want)
	}
	was, is := plain.Utterances[0], got.Utterances[0]
	if len(is.Words) != len(was.Words)+strings.Count(was.Text, first) || is.Start != was.Start || is.End != was.End ||
		is.Words[1].Word != " Words" ||
		is.Words[1].End != was.Words[0].End || is.Confidence != was.Confidence {
		b, _ := json.Marshal(is)
		t.Errorf("utterance %s", b)
	}
}
