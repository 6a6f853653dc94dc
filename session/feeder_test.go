package session

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// gatedRecognizer blocks in some calls until its gate is opened, like an overloaded engine.
type gatedRecognizer struct {
	asr.Recognizer
	at   string // the calls: "open", "write"
	gate chan struct{}
}

func (r *gatedRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := r.pass(ctx, "open"); err != nil {
		return nil, err
	}
	s, err := r.Recognizer.Open(ctx, p)
	return &gatedStream{s, r, ctx}, err
}

func (r *gatedRecognizer) pass(ctx context.Context, at string) error {
	if at != r.at {
		return nil
	}
	select {
	case <-r.gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type gatedStream struct {
	asr.Stream
	of  *gatedRecognizer
	ctx context.Context
}

func (s *gatedStream) Write(samples []int16) error {
	if err := s.of.pass(s.ctx, "write"); err != nil {
		return err
	}
	return s.Stream.Write(samples)
}

// An engine that accepts nothing for a while delays neither the audio nor its acknowledgment, and
// the finals are the same.
func TestAudioDoesNotWaitForTheEngine(t *testing.T) {
	sound := scene(2, 30, 4)
	const request = `{"channels":2,"pre_processing":{"speech_threshold":0.5}}`
	var want Memory
	s := openWith(t, &want, request, asr.Live, scripted.New(scripted.Config{}))
	write(t, s, sound)
	stopAndWait(t, s)
	for _, at := range []string{"open", "write"} {
		t.Run(at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var m Memory
				r := &gatedRecognizer{scripted.New(scripted.Config{}), at, make(chan struct{})}
				s := openWith(t, &m, request, asr.Live, r)
				half := len(sound) / 2 / 4 * 4
				for piece := range slices.Chunk(sound[:half], 6400) {
					write(t, s, piece)
				}
				if n := s.Received(); n != int64(half) {
					t.Errorf("%d bytes were taken of %d", n, half)
				}
				close(r.gate)
				write(t, s, sound[half:])
				stopAndWait(t, s)
				if got, want := m.Outcome().Result.Transcription,
					want.Outcome().Result.Transcription; len(want.Utterances) < 6 ||
					!reflect.DeepEqual(got, want) {
					t.Errorf("%d utterances, want %d", len(got.Utterances), len(want.Utterances))
				}
			})
		})
	}
}

// orderedRecognizer counts the opened utterances, and opens each more slowly than the next.
type orderedRecognizer struct {
	asr.Recognizer
	mu     sync.Mutex
	opened int
	most   int // at a time
	now    int
}

func (r *orderedRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.mu.Lock()
	r.opened++
	r.now++
	r.most = max(r.most, r.now)
	wait := time.Second / time.Duration(r.opened)
	r.mu.Unlock()
	time.Sleep(wait)
	r.mu.Lock()
	r.now--
	r.mu.Unlock()
	return r.Recognizer.Open(ctx, p)
}

// A recognizer is given the utterances of all lanes in the order of their start, each after it has
// accepted the one before, except for those that wait for a language.
func TestUtterancesAreOpenedInOrder(t *testing.T) {
	sound := scene(2, 30, 4)
	synctest.Test(t, func(t *testing.T) {
		r := &orderedRecognizer{Recognizer: scripted.New(scripted.Config{})}
		s := openWith(t, new(Memory),
			`{"channels":2,"language_config":{"languages":["en"]},"maximum_duration_without_endpointing":60}`,
			asr.Live, r)
		write(t, s, sound)
		stopAndWait(t, s)
		if r.opened < 6 || r.most != 1 {
			t.Errorf("%d utterances were opened, up to %d at a time", r.opened, r.most)
		}
	})
}

// A session abandoned while its engine accepts nothing leaks no goroutine.
func TestAbandonedWhileTheEngineWaits(t *testing.T) {
	for _, at := range []string{"open", "write"} {
		synctest.Test(t, func(t *testing.T) {
			r := &gatedRecognizer{scripted.New(scripted.Config{}), at, make(chan struct{})}
			s := openWith(t, new(Memory), `{}`, asr.Live, r)
			write(t, s, twoSentences())
			synctest.Wait()
			s.Abandon()
			<-s.Done()
		})
	}
}
