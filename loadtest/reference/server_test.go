package reference

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/audio"
	"steno/loadtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServerCarriesSessions(t *testing.T) {
	s := httptest.NewServer(New(Config{Utterance: 300 * time.Millisecond}))
	defer s.Close()
	format := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	clip := &loadtest.Clip{Name: "zeros", Format: format, Data: make([]byte, 32000)}
	if err := loadtest.Check(t.Context(), s.URL, ""); err != nil {
		t.Error(err)
	}
	r, err := loadtest.Run(t.Context(), loadtest.Options{URL: s.URL, Clips: []*loadtest.Clip{clip}, Sessions: 2})
	if err != nil {
		t.Fatal(err)
	}
	// A second of audio in frames of 20 ms, acknowledged five at a time.
	if !r.OK() || r.Done != 2 || r.Finals != 6 || r.Delays.Ack.Count < 18 || r.Delays.Ack.Count > 24 {
		t.Errorf("report %+v", r)
	}
}

func TestServerForgetsASession(t *testing.T) {
	s := New(Config{})
	h := httptest.NewServer(s)
	defer h.Close()
	format := audio.Format{Encoding: audio.MuLaw, BitDepth: 8, SampleRate: 8000, Channels: 1}
	clip := &loadtest.Clip{Name: "zeros", Format: format, Data: make([]byte, 800)}
	r, err := loadtest.Run(t.Context(), loadtest.Options{URL: h.URL, Clips: []*loadtest.Clip{clip}, Sessions: 1})
	if err != nil || !r.OK() {
		t.Fatalf("report %+v, error %v", r, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sessions) != 0 {
		t.Errorf("%d sessions are kept", len(s.sessions))
	}
}

func TestServerForgetsACancelledSession(t *testing.T) {
	s := New(Config{})
	h := httptest.NewServer(s)
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	format := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	clip := &loadtest.Clip{Name: "zeros", Format: format, Data: make([]byte, 320000)}
	r, err := loadtest.Run(ctx, loadtest.Options{URL: h.URL, Clips: []*loadtest.Clip{clip}, Sessions: 2})
	if err == nil || !r.Interrupted || !r.OK() {
		t.Fatalf("report %+v, error %v", r, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sessions) != 0 {
		t.Errorf("%d sessions are kept", len(s.sessions))
	}
}

// Sessions whose client does not connect, or never asks for the record, are forgotten after a
// while.
func TestServerForgetsWhatNobodyAsksFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{})
		known := func() int {
			s.mu.Lock()
			defer s.mu.Unlock()
			return len(s.sessions)
		}
		for range 3 {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", "/v2/live", strings.NewReader("{}")))
			if w.Code != http.StatusCreated {
				t.Fatal(w.Code, w.Body)
			}
		}
		var speaking, silent *session
		s.mu.Lock()
		for _, v := range s.sessions {
			speaking, silent = silent, v
		}
		s.mu.Unlock()
		if !speaking.open() || !silent.open() {
			t.Fatal("a socket is not taken")
		}
		time.Sleep(patience + time.Second)
		if n := known(); n != 2 {
			t.Errorf("%d sessions are known, want the two with a socket", n)
		}
		speaking.close()
		time.Sleep(patience - time.Second)
		if n := known(); n != 2 {
			t.Errorf("%d sessions are known, want that of the record too", n)
		}
		time.Sleep(2 * time.Second)
		if n := known(); n != 1 {
			t.Errorf("%d sessions are known, want the one with a socket", n)
		}
	})
}
