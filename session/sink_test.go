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
)

// eventRecorder is a sink that records its events.
type eventRecorder struct {
	wants  messages.Filter
	mu     sync.Mutex
	events []messages.Event
}

func everything() *eventRecorder {
	return &eventRecorder{wants: messages.FilterOf(messages.Kinds()...)}
}

func (e *eventRecorder) Wants() messages.Filter { return e.wants }

func (e *eventRecorder) Send(ev messages.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.events = append(e.events, ev)
}

func (e *eventRecorder) keys() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []string
	for _, ev := range e.events {
		list = append(list, ev.Key.String())
	}
	return list
}

const withPartials = `{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`

// twoSentences returns four seconds with two utterances.
func twoSentences() []byte {
	var x []float64
	for i := range uint64(2) {
		x = append(x, whiteNoise(1, -80, i)...)
		x = append(x, voice(1.2, i+20)...)
	}
	return interleave(append(x, whiteNoise(1.2, -80, 9)...))
}

func TestEventsOfAnUtteranceComeInOrder(t *testing.T) {
	all := everything()
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, withPartials, asr.Live, all)
		for pcm := range slices.Chunk(twoSentences(), 3200) {
			write(t, s, pcm)
			synctest.Wait() // for the partials
		}
		stopAndWait(t, s)
	})

	keys := all.keys()
	for _, id := range []string{"00_00000000", "00_00000001"} {
		at := func(key string) int { return slices.Index(keys, key+id) }
		start, partial, end, final := at("speech_start/"), at("partial/"), at("speech_end/"), at("final/")
		if !(0 <= start && start < partial && partial < final && final < end) {
			t.Errorf("%s: speech_start %d, first partial %d, final %d, speech_end %d", id, start, partial, final, end)
		}
		if i := len(keys) - 1 - slices.Index(reversed(keys), "partial/"+id); i > final {
			t.Errorf("%s: a partial follows its final", id)
		}
	}
	want := []string{"end_recording", "post_transcript", "post_final_transcript", "end_session"}
	if got := keys[len(keys)-len(want):]; !slices.Equal(got, want) {
		t.Errorf("the last events are %v, want %v", got, want)
	}
	if got := keys[:2]; !slices.Equal(got, []string{"start_session", "start_recording"}) {
		t.Errorf("the first events are %v", got)
	}
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// A sink that is attached late, or again, is sent every logged event once and in order.
func TestAttachLeavesNoGapAndNoRepeat(t *testing.T) {
	audio := twoSentences()
	var m Memory
	s := open(t, &m, withPartials, asr.Live)
	write(t, s, audio[:len(audio)/2])
	first, second := everything(), everything()
	attach(t, s, first, 0)
	write(t, s, audio[len(audio)/2:len(audio)*3/4])
	s.Detach(first)
	last := first.lastSeq()
	attach(t, s, second, last)
	write(t, s, audio[len(audio)*3/4:])
	stopAndWait(t, s)

	var seqs []int64
	for _, ev := range slices.Concat(first.events, second.events) {
		if ev.Seq > 0 {
			seqs = append(seqs, ev.Seq)
		}
	}
	if len(seqs) != len(m.events) {
		t.Fatalf("%d logged events were sent, the log has %d", len(seqs), len(m.events))
	}
	for i, seq := range seqs {
		if seq != int64(i)+1 {
			t.Fatalf("event %d has number %d", i, seq)
		}
	}
}

func (e *eventRecorder) lastSeq() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	var last int64
	for _, ev := range e.events {
		last = max(last, ev.Seq)
	}
	return last
}

func attach(t *testing.T, s *Session, o Sink, after int64) {
	t.Helper()
	if err := s.Attach(context.Background(), o, after); err != nil {
		t.Fatal(err)
	}
}

func TestSinksGetWhatTheyWant(t *testing.T) {
	finals := &eventRecorder{wants: messages.FilterOf(messages.KindFinal)}
	var m Memory
	s := open(t, &m, withPartials, asr.Live, finals)
	write(t, s, twoSentences())
	s.Acknowledge(true)
	stopAndWait(t, s)
	if got, want := finals.keys(), []string{"final/00_00000000", "final/00_00000001"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAcksAreSharedAndCumulative(t *testing.T) {
	all := everything()
	var m Memory
	s := open(t, &m, `{}`, asr.Live, all)
	pcm := make([]byte, 6400) // 200 ms
	steps := []struct {
		bytes     int
		force     bool
		boundary  int64
		sent      bool
		byteRange string
	}{
		{1600, false, 0, false, ""},                // 50 ms: waits for more
		{1600, false, 3200, true, "[0,3200]"},      // together 100 ms
		{640, true, 3840, true, "[3200,3840]"},     // forced by the clock
		{0, true, 3840, true, "[3840,3840]"},       // keep-alive
		{6400, false, 10240, true, "[3840,10240]"}, // a large one is acknowledged immediately
	}
	for i, step := range steps {
		write(t, s, pcm[:step.bytes])
		boundary, sent := s.Acknowledge(step.force)
		if boundary != step.boundary || sent != step.sent {
			t.Errorf("step %d: boundary %d, sent %v", i, boundary, sent)
		}
		if last := all.events[len(all.events)-1]; sent && last.Acked != step.boundary {
			t.Errorf("step %d: ack up to %d", i, last.Acked)
		}
		if sent && !strings.Contains(string(all.events[len(all.events)-1].Body), step.byteRange) {
			t.Errorf("step %d: ack %s, want %s", i, all.events[len(all.events)-1].Body, step.byteRange)
		}
	}
	s.Rewind(640)
	if boundary, sent := s.Acknowledge(true); boundary != 10240 || !sent {
		t.Errorf("after a rewind: %d %v", boundary, sent)
	}
	if body := string(all.events[len(all.events)-1].Body); !strings.Contains(body, "[640,10240]") {
		t.Errorf("after a rewind: %s", body)
	}
	stopAndWait(t, s)
}

func TestAddonsThatAreNotThereSaySo(t *testing.T) {
	request := `{"endpointing":0.3,"realtime_processing":{"named_entity_recognition":true,"sentiment_analysis":true,
		"translation":true,"translation_config":{"target_languages":["fr","de"]}},
		"post_processing":{"summarization":true,"chapterization":true}}`
	all := everything()
	var m Memory
	s := open(t, &m, request, asr.Live, all)
	write(t, s, twoSentences())
	stopAndWait(t, s)
	for _, key := range []string{ // once in the session, whose finals are two
		"translation/once/fr", "translation/once/de", "named_entity_recognition/once", "sentiment_analysis/once",
		"post_summarization", "post_chapterization",
	} {
		i := slices.Index(all.keys(), key)
		if i < 0 {
			t.Errorf("no event %s", key)
			continue
		}
		var body struct{ Error *messages.AddonError }
		if err := json.Unmarshal(all.events[i].Body, &body); err != nil || body.Error == nil ||
			body.Error.StatusCode != 501 {
			t.Errorf("%s: %s (%v)", key, all.events[i].Body, err)
		}
	}
	r := m.Outcome().Result
	if r.Summarization == nil || r.Summarization.Success || r.Summarization.Error == nil {
		t.Errorf("summarization: %+v", r.Summarization)
	}
	if r.Transcription.FullTranscript == "" {
		t.Error("the transcript suffered")
	}
	if got := fmt.Sprint(r.Transcription.Languages); got != "[en]" {
		t.Errorf("languages %s", got)
	}
}
