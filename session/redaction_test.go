package session

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// dictator recognizes the next of its sentences in each utterance that it has not heard before, and
// the same again in one that it has: in a partial all but the last word.
type dictator struct {
	asr.Recognizer
	mu        sync.Mutex
	sentences []string
	heard     map[uint64][]string
}

func newDictator(sentences ...string) *dictator {
	return &dictator{Recognizer: scripted.New(scripted.Config{}), sentences: sentences, heard: map[uint64][]string{}}
}

func (d *dictator) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	s, err := d.Recognizer.Open(ctx, p)
	return &dictated{s, d, fnv.New64().Sum64()}, err
}

type dictated struct {
	asr.Stream
	from  *dictator
	audio uint64
}

func (s *dictated) Write(samples []int16) error {
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	for _, x := range samples {
		s.audio = s.audio*1099511628211 ^ uint64(uint16(x))
	}
	return s.Stream.Write(samples)
}

func (s *dictated) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	if err != nil || len(r.Words) == 0 {
		return r, err
	}
	words := s.from.heard[s.audio]
	switch {
	case !r.Final && len(s.from.sentences) > 0:
		words = strings.Fields(s.from.sentences[0])
		words = words[:len(words)-1]
	case words == nil && len(s.from.sentences) > 0:
		words, s.from.sentences = strings.Fields(s.from.sentences[0]), s.from.sentences[1:]
		s.from.heard[s.audio] = words
	}
	first, last := r.Words[0], r.Words[len(r.Words)-1]
	r.Words = nil
	for i, text := range words {
		at := func(i int) int { return first.Start + (last.End-first.Start)*i/len(words) }
		r.Words = append(r.Words, asr.Word{Text: text, Start: at(i), End: at(i + 1), Confidence: 0.9})
	}
	return r, err
}

// spoken is so many utterances of speech.
func spoken(utterances int) []byte {
	var x []float64
	for i := range uint64(utterances) {
		x = append(append(x, whiteNoise(0.8, -75, i)...), voice(2, 20+i)...)
	}
	return interleave(append(x, whiteNoise(1, -75, 9)...))
}

func isPartial(e messages.Event) bool { return e.Kind == messages.KindPartial }

// What is hidden is in no event and no result of a session, and a session that is taken over
// between its utterances continues as it would have.
func TestRedactionSurvives(t *testing.T) {
	request := `{"endpointing":0.3,"language_config":{"languages":["en"]},
		"messages_config":{"receive_partial_transcripts":true},
		"realtime_processing":{"pii_redaction":true,"pii_redaction_config":{"entity_types":["PCI","NAME"]},
			"diarization":true,"named_entity_recognition":true},"post_processing":{"summarization":true}}`
	audio := spoken(5)
	dictator := newDictator("my name is Maria Cruz", "the security code on the back is", "um nine seven",
		"one", "thank you Maria")
	var want string
	for cut := range 4 {
		var m Memory
		seen := eventRecorder{wants: messages.FilterOf(messages.Kinds()...)}
		synctest.Test(t, func(t *testing.T) {
			s := openWith(t, &m, request, asr.Live, dictator, &seen)
			for at := 0; at < len(audio); at += 3200 {
				if cut > 0 && at/3200 == len(audio)/3200*cut/4 {
					s.Abandon()
					s = openWith(t, &m, request, asr.Live, dictator, &seen)
				}
				write(t, s, audio[at:min(at+3200, len(audio))])
				time.Sleep(100 * time.Millisecond)
			}
			stopAndWait(t, s)
		})
		text, err := json.Marshal(m.Outcome().Result)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range seen.events {
			text = append(append(text, '\n'), e.Body...)
		}
		for _, secret := range []string{"Maria", "Cruz", "nine", "seven", " one"} {
			if i := strings.Index(string(text), secret); i >= 0 {
				t.Errorf("cut %d: %q is seen in %s", cut, secret, text[max(0, i-200):i+20])
			}
		}
		got := utterancesText(t, &m)
		if cut == 0 {
			want = got
			if !strings.Contains(got, "[CVV") || !strings.Contains(got, "thank you [NAME_1]") ||
				!slices.ContainsFunc(seen.events, isPartial) {
				t.Fatalf("%s", got)
			}
		}
		if got != want {
			t.Errorf("cut %d: %s\nwant %s", cut, got, want)
		}
	}
}

// New terms in the middle of a session correct the words of the utterances that follow.
func TestNewTermsCorrect(t *testing.T) {
	request := `{"endpointing":0.3,"language_config":{"languages":["en"]},
		"realtime_processing":{"custom_vocabulary":true,
		"custom_vocabulary_config":{"vocabulary":[{"value":"Kubernetes","pronunciations":["cuber netties"]}]}}}`
	dictator := newDictator("we use cuber netties and post gress", "we use cuber netties and post gress")
	audio := spoken(2)
	half := len(audio) * 46 / 100 // in the pause
	var want string
	for _, cut := range []bool{false, true} {
		var m Memory
		s := openWith(t, &m, request, asr.Live, dictator)
		write(t, s, audio[:half])
		terms := messages.List[messages.VocabularyEntry]{{Value: "Postgres", Pronunciations: []string{"post gress"}}}
		if err := s.Update(t.Context(), messages.Update{Vocabulary: &terms}); err != nil {
			t.Fatal(err)
		}
		if cut {
			s.Abandon()
			s = openWith(t, &m, request, asr.Live, dictator)
		}
		write(t, s, audio[half:])
		stopAndWait(t, s)
		us := m.Outcome().Result.Transcription.Utterances
		if len(us) != 2 || !strings.Contains(us[0].Text, "Kubernetes and post gress") || !strings.Contains(us[1].Text,
			"netties and Postgres") {
			t.Fatalf("%v", utterancesText(t, &m))
		}
		if got := utterancesText(t, &m); want != "" && got != want {
			t.Errorf("taken over: %s\nwant %s", got, want)
		} else {
			want = got
		}
	}
}
