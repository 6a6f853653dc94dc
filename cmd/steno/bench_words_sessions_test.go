package main

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/cmd/steno/recognizers"
	"steno/messages"
	"steno/session"
	"steno/session/addon"
	"steno/session/addon/registry"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/transcribe"
)

// addons are those that the gateway has without further services.
func addons() *addon.Table { return registry.New(registry.Services{}, addon.Runner{}) }

// listener is a sink that notes what becomes of utterances, and when.
type listener struct {
	partials bool

	mu         sync.Mutex
	began      time.Time
	utterances map[string]*listened
}

// listened is one utterance. Times are since the session began.
type listened struct {
	start, end float64       // of its speech, in seconds of audio
	ended      time.Duration // when its end was decided
	final      messages.Utterance
	finalAt    time.Duration // 0: no final came
	partials   []listenedPartial
}

type listenedPartial struct {
	at    time.Duration
	words []string
}

func (l *listener) Wants() messages.Filter {
	if l.partials {
		return messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindFinal,
			messages.KindPartial)
	}
	return messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindFinal)
}

func (l *listener) Send(e messages.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, u := time.Since(l.began), l.utterance(e.Subject)
	switch m := e.Message.(type) {
	case messages.SpeechStart:
		u.start = m.Time
	case messages.SpeechEnd:
		u.end = m.Time
	case messages.Transcript:
		if m.IsFinal {
			u.final, u.finalAt = m.Utterance, now
		} else {
			u.partials = append(u.partials, listenedPartial{now, corpus.Words(m.Utterance.Text)})
		}
	}
}

// settled records when the end of an utterance was decided, by silence or by force.
func (l *listener) settled(latency session.Latency) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.utterance(latency.Utterance).ended = latency.Ended.Sub(l.began)
}

func (l *listener) utterance(id string) *listened {
	u := l.utterances[id]
	if u == nil {
		u = &listened{}
		l.utterances[id] = u
	}
	return u
}

// list returns the utterances in the order spoken. Where speech was cut by force there are no
// events; one utterance ends there with its last word, and the next begins.
func (l *listener) list() []*listened {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*listened
	end := 0.0
	for _, id := range slices.Sorted(maps.Keys(l.utterances)) {
		u := l.utterances[id]
		if u.start == 0 {
			u.start = end
		}
		if u.end == 0 {
			u.end = max(u.start, u.final.End)
		}
		end, out = u.end, append(out, u)
	}
	return out
}

// live runs audio through a live session, as fast as that takes it.
func live(t testing.TB, engine asr.Recognizer, pcm []byte, request string) []*listened {
	return play(t, engine, pcm, request, func(ctx context.Context, s *session.Session, _ time.Time) error {
		return s.Write(ctx, pcm)
	})
}

// spoken runs audio through a live session in real time: each 20 ms when they have been spoken.
func spoken(t testing.TB, engine asr.Recognizer, pcm []byte, request string) []*listened {
	return play(t, engine, pcm, request, func(ctx context.Context, s *session.Session, began time.Time) error {
		const chunk = 640
		for i := 0; i < len(pcm); i += chunk {
			time.Sleep(time.Until(began.Add(time.Duration(i/chunk+1) * 20 * time.Millisecond)))
			if err := s.Write(ctx, pcm[i:min(i+chunk, len(pcm))]); err != nil {
				return err
			}
		}
		return nil
	})
}

// play opens a session, has its audio written, and waits for its end.
func play(t testing.TB, engine asr.Recognizer, pcm []byte, request string,
	write func(context.Context, *session.Session, time.Time) error) []*listened {
	t.Helper()
	r, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Error(problem)
		return nil
	}
	l := &listener{partials: messages.Flags(r.MessagesConfig).Filter().Has(messages.KindPartial), began: time.Now(),
		utterances: map[string]*listened{}}
	ctx := context.Background()
	s, err := session.Open(ctx, session.Config{
		ID: "bench", Request: r, Recognizer: engine, Ledger: &session.Memory{}, Sinks: []session.Sink{l},
		Settled: l.settled,
		Addons:  addon.NewLive(r, addons()),
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := write(ctx, s, l.began); err != nil {
		t.Error(err)
	}
	if err := finish(ctx, s); err != nil {
		t.Error(err)
	}
	return l.list()
}

// finalsOf returns the finals.
func finalsOf(list []*listened) (out []messages.Utterance) {
	for _, u := range list {
		out = append(out, u.final)
	}
	return out
}

// pcmStream is audio as a recording that was decoded.
type pcmStream struct{ *bytes.Reader }

func (pcmStream) Close() error { return nil }

func (pcmStream) Format() audio.Format {
	return audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: asr.Rate, Channels: 1}
}

// recorded transcribes audio as a job for recordings does.
func recorded(t testing.TB, engine asr.Recognizer, pcm []byte) []messages.Utterance {
	t.Helper()
	ctx := context.Background()
	request, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"https://example.com/recording"}`))
	if problem != nil {
		t.Error(problem)
		return nil
	}
	recording, err := transcribe.Decode(ctx, func(context.Context) (transcribe.Stream, error) {
		return pcmStream{bytes.NewReader(pcm)}, nil
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	job := transcribe.Job{ID: "bench", Request: request, Recognizer: engine, Addons: addons()}
	transcript, err := job.Transcribe(ctx, recording)
	if err != nil {
		t.Error(err)
	}
	return transcript.Transcription.Utterances
}

// inTurn calls a function for each clip, for four of them at a time.
func inTurn(clips []corpus.Clip, each func(corpus.Clip)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, 4)
	for _, c := range clips {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			each(c)
		})
	}
	wait.Wait()
}

// moreDecodes asks for as many decodes of a final as the model stt-3 does.
type moreDecodes struct{ asr.Recognizer }

func (r moreDecodes) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	p.Decodes = recognizers.AccurateDecodes
	return r.Recognizer.Open(ctx, p)
}

// quiet is faint noise, as a microphone has it.
func quiet(d time.Duration) []int16 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]int16, int(d.Seconds()*asr.Rate))
	for i := range out {
		out[i] = int16(3 * r.NormFloat64())
	}
	return out
}

// quietlyAround is a second of faint noise, the samples, and as much after them.
func quietlyAround(samples []int16) []byte {
	return audio.AppendPCM(nil, slices.Concat(quiet(time.Second), samples, quiet(time.Second)))
}
