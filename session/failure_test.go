package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/router"
	"steno/session/asr/scripted"
)

// lossyRecognizer is a recognizer that loses utterances: every stream accepts a limited number of
// samples.
type lossyRecognizer struct {
	asr.Recognizer
	lives  atomic.Int64 // streams still to be lost
	closed atomic.Bool  // no engine at all
}

func (b *lossyRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if b.closed.Load() {
		return nil, asr.ErrUnavailable
	}
	u, err := b.Recognizer.Open(ctx, p)
	if err == nil && b.lives.Add(-1) >= 0 {
		return &lostStream{Stream: u, gone: make(chan struct{})}, nil
	}
	return u, err
}

// lostStream is an utterance whose engine dies at its second write or its end.
type lostStream struct {
	asr.Stream
	writes int
	dead   bool
	gone   chan struct{}
}

func (l *lostStream) die() error {
	if !l.dead {
		l.dead = true
		close(l.gone)
	}
	return asr.ErrUnavailable
}

func (l *lostStream) Write(s []int16) error {
	if l.writes++; l.writes > 1 {
		return l.die()
	}
	return l.Stream.Write(s)
}

func (l *lostStream) End() error { return l.die() }

func (l *lostStream) Recv() (asr.Result, error) {
	<-l.gone
	return asr.Result{}, fmt.Errorf("stream: %w", asr.ErrUnavailable)
}

// routed wraps a recognizer in a router, which waits for it while it is away.
func routed(t *testing.T, r asr.Recognizer) asr.Recognizer {
	t.Helper()
	engines, err := router.New(router.Config{
		Engines: []router.Engine{{Name: "engine", Recognizer: r}},
		Plans:   map[string]router.Plan{"model": {Engines: []string{"engine"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engines.Close() })
	return engines.For("model")
}

func TestLostEnginesCostNoWords(t *testing.T) {
	pcm := twoSentences()
	want := utterancesText(t, playReplay(t, withPartials, pcm))
	synctest.Test(t, func(t *testing.T) {
		r := &lossyRecognizer{Recognizer: scripted.New(scripted.Config{Context: true})}
		r.lives.Store(5)
		var m Memory
		s := openWith(t, &m, withPartials, asr.Live, routed(t, r))
		for i := 0; i < len(pcm); i += 3200 {
			write(t, s, pcm[i:min(i+3200, len(pcm))])
			r.closed.Store(i > len(pcm)/3 && i < len(pcm)*2/3) // all engines away for a while
			time.Sleep(100 * time.Millisecond)
		}
		r.closed.Store(false)
		stopAndWait(t, s)
		if got := utterancesText(t, &m); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestAnEngineThatStaysAwayEndsAsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &lossyRecognizer{Recognizer: scripted.New(scripted.Config{})}
		all := everything()
		var m Memory
		s := openWith(t, &m, withPartials, asr.Live, routed(t, r), all)
		pcm := twoSentences()
		half := len(pcm) / 2
		write(t, s, pcm[:half])
		synctest.Wait()
		r.closed.Store(true)
		write(t, s, pcm[half:])
		began := time.Now()
		if err := s.Stop(context.Background(), true); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if took := time.Since(began); took < 29*time.Second || took > 35*time.Second {
			t.Errorf("finals were given up after %v", took)
		}
		o := m.Outcome()
		if o == nil || o.Failure == nil || o.Failure.Reason != messages.EngineUnavailable || o.Failure.Message == "" ||
			len(o.Result.Transcription.Utterances) != 1 {
			t.Fatalf("outcome %+v", o)
		}
		var errs int
		for _, ev := range all.events {
			if ev.Kind == messages.KindError {
				errs++
			}
		}
		if errs != 1 {
			t.Errorf("%d error events, want 1", errs)
		}
	})
}

// An utterance that crashes every engine is not tried forever.
func TestAnUtteranceThatKillsEnginesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &lossyRecognizer{Recognizer: scripted.New(scripted.Config{})}
		r.lives.Store(1 << 40)
		var m Memory
		s := openWith(t, &m, `{"endpointing":0.3}`, asr.Live, routed(t, r))
		write(t, s, twoSentences())
		if err := s.Stop(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if o := m.Outcome(); o == nil || o.Failure == nil || o.Failure.Reason != messages.EngineUnavailable {
			t.Errorf("outcome %+v", o)
		}
		if opened := int64(1<<40) - r.lives.Load(); opened > 40 {
			t.Errorf("%d attempts", opened)
		}
	})
}

var errNoSpace = errors.New("no space left")

// fullLedger is a ledger whose disk is full after a number of bytes.
type fullLedger struct {
	*Memory
	room int64
}

func (f fullLedger) AppendAudio(ctx context.Context, p []byte) error {
	if f.AudioSize()+int64(len(p)) > f.room {
		return fmt.Errorf("write journal: %w", errNoSpace)
	}
	return f.Memory.AppendAudio(ctx, p)
}

func TestAFullDiskEndsTheSessionWithWhatThereIs(t *testing.T) {
	pcm := twoSentences()
	req, _ := messages.ParseLive([]byte(`{"endpointing":0.3}`))
	ledger := fullLedger{Memory: &Memory{}, room: int64(len(pcm) * 3 / 5)}
	s, err := Open(context.Background(), Config{ID: "S", Request: req, Recognizer: scripted.New(scripted.Config{}),
		Ledger: ledger, Reason: func(err error) messages.Reason {
			if errors.Is(err, errNoSpace) {
				return messages.DiskFull
			}
			return messages.InternalError
		}})
	if err != nil {
		t.Fatal(err)
	}
	var f *Failure
	for i := 0; i < len(pcm) && err == nil; i += 640 {
		err = s.Write(context.Background(), pcm[i:min(i+640, len(pcm))])
	}
	if !errors.As(err, &f) || f.Reason != messages.DiskFull {
		t.Fatalf("got %v, want a full disk", err)
	}
	<-s.Done()
	if o := ledger.Outcome(); o == nil || o.Failure != f || len(o.Result.Transcription.Utterances) == 0 {
		t.Errorf("outcome %+v", o)
	}
	if err := s.Write(context.Background(), pcm); !errors.As(err, &f) {
		t.Errorf("a write after the end: %v", err)
	}
}

func TestRIFFHeaderIsSkippedAndChecked(t *testing.T) {
	pcm := twoSentences()
	want := utterancesText(t, playReplay(t, `{"endpointing":0.3}`, pcm))
	mono := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	header := audio.WAVHeader(mono, int64(len(pcm)))
	for _, cut := range [][]int{nil, {1}, {20, 40}, {len(header), len(pcm)}} {
		got := utterancesText(t, playCut(t, `{"endpointing":0.3}`, append(header, pcm...), cut, 700, 0))
		if got != want {
			t.Errorf("with a header and cuts %v: got %s", cut, got)
		}
	}
	stereo := mono
	stereo.Channels = 2
	var m Memory
	s := open(t, &m, `{}`, asr.Live)
	err := s.Write(context.Background(), append(audio.WAVHeader(stereo, 1000), pcm...))
	var f *Failure
	if !errors.As(err, &f) || f.Reason != messages.BadHeader {
		t.Errorf("a header of another format: %v", err)
	}
	<-s.Done()
	if o := m.Outcome(); o == nil || o.Failure != f {
		t.Errorf("outcome %+v", o)
	}
}

func TestEndsOfRecording(t *testing.T) {
	req, _ := messages.ParseLive([]byte(`{}`))
	var m Memory
	s, err := Open(context.Background(), Config{
		ID: "S", Request: req, Recognizer: scripted.New(scripted.Config{}), Ledger: &m, MaxAudio: time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(context.Background(), make([]byte, 32001)); !errors.Is(err, ErrFull) {
		t.Errorf("beyond the longest duration: %v", err)
	}
	stopAndWait(t, s)
	if err := s.Write(context.Background(), []byte{1}); !errors.Is(err, ErrStopped) {
		t.Errorf("after stop: %v", err)
	}
	if got := m.AudioSize(); got != 32000 {
		t.Errorf("journal holds %d bytes", got)
	}
	if o := m.Outcome(); o.Seconds != 1 {
		t.Errorf("duration %v", o.Seconds)
	}
}

// silentRecognizer is a recognizer that never answers.
type silentRecognizer struct{}

func (silentRecognizer) Open(ctx context.Context, _ asr.Params) (asr.Stream, error) {
	return silentStream{ctx}, nil
}

type silentStream struct{ ctx context.Context }

func (silentStream) Write([]int16) error { return nil }
func (silentStream) Pause() error        { return nil }
func (silentStream) End() error          { return nil }
func (s silentStream) Recv() (asr.Result, error) {
	<-s.ctx.Done()
	return asr.Result{}, io.ErrUnexpectedEOF
}

// A recognizer that does not answer makes the writer wait, and an abandoned session still ends.
func TestBackpressureAndAbandon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req, _ := messages.ParseLive([]byte(`{"endpointing":0.05}`))
		var m Memory
		s, err := Open(context.Background(), Config{ID: "S", Request: req, Recognizer: silentRecognizer{}, Ledger: &m,
			Pending: 1})
		if err != nil {
			t.Fatal(err)
		}
		written := make(chan error)
		go func() {
			var err error
			for i := 0; i < 8 && err == nil; i++ {
				err = s.Write(context.Background(), twoSentences())
			}
			written <- err
		}()
		synctest.Wait()
		select {
		case <-written:
			t.Error("the writer did not wait")
		default:
		}
		s.Abandon()
		if err := <-written; err == nil {
			t.Error("a write to an abandoned session succeeded")
		}
	})
}

// refusingRecognizer is a recognizer that always refuses one language, and is away at times.
type refusingRecognizer struct {
	asr.Recognizer
	refuses, away atomic.Bool
}

func (c *refusingRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	switch {
	case c.away.Load():
		return nil, asr.ErrUnavailable
	case c.refuses.Load():
		return nil, asr.ErrLanguage
	}
	return c.Recognizer.Open(ctx, p)
}

// An utterance that an engine refuses does not mean that engines are away: the next one still waits
// for one that is.
func TestARefusedUtteranceCostsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &refusingRecognizer{Recognizer: scripted.New(scripted.Config{})}
		var m Memory
		s := openWith(t, &m, `{"endpointing":0.3}`, asr.Live, routed(t, r))
		pcm := twoSentences()
		half := len(pcm) / 2
		r.refuses.Store(true)
		write(t, s, pcm[:half])
		synctest.Wait()
		r.refuses.Store(false)
		r.away.Store(true)
		write(t, s, pcm[half:])
		time.Sleep(5 * time.Second)
		r.away.Store(false)
		if err := s.Stop(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if o := m.Outcome(); o == nil || len(o.Result.Transcription.Utterances) != 1 {
			t.Errorf("outcome %+v", o)
		}
	})
}

// crashingRecognizer is a recognizer that crashes at each attempt of its first utterance, and is
// then away for a while.
type crashingRecognizer struct {
	asr.Recognizer
	deaths atomic.Int64 // still to come
	back   atomic.Int64 // when it is back, ns
}

func (d *crashingRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if time.Now().UnixNano() < d.back.Load() {
		return nil, asr.ErrUnavailable
	}
	u, err := d.Recognizer.Open(ctx, p)
	if err == nil && d.deaths.Add(-1) >= 0 {
		d.back.Store(time.Now().Add(time.Second).UnixNano())
		return &lostStream{Stream: u, gone: make(chan struct{})}, nil
	}
	return u, err
}

// An utterance that crashes engines and is dropped delays no other, even if the last engine is not
// back yet.
func TestAnUtteranceThatKillsEnginesCostsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &crashingRecognizer{Recognizer: scripted.New(scripted.Config{})}
		r.deaths.Store(10)
		var m Memory
		s := openWith(t, &m, `{"endpointing":0.3}`, asr.Live, routed(t, r))
		write(t, s, twoSentences())
		if err := s.Stop(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if o := m.Outcome(); o == nil || len(o.Result.Transcription.Utterances) != 1 {
			t.Errorf("outcome %+v, %d deaths left", o, r.deaths.Load())
		}
	})
}
