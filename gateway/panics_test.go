package gateway

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/admission"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/store"
	"steno/session/store/embedded/embeddedtest"
)

// panicPoint panics at one call.
type panicPoint struct{ left atomic.Int64 }

// panicAt returns a panicPoint for the call with the number.
func panicAt(n int64) *panicPoint {
	m := &panicPoint{}
	m.left.Store(n)
	return m
}

func (m *panicPoint) step() {
	if m.left.Add(-1) == 0 {
		var list []string
		_ = list[len(list)]
	}
}

// panickingEngine panics at one utterance.
type panickingEngine struct {
	asr.Recognizer
	*panicPoint
}

func (e panickingEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	e.step()
	return e.Recognizer.Open(ctx, p)
}

// panickingStore panics at calls of its sessions' handles; a panicPoint at 0 never panics.
type panickingStore struct {
	store.Store
	claim, read, confirm *panicPoint
}

func (s panickingStore) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	s.claim.step()
	l, err := s.Store.Claim(ctx, id, intent)
	return panickingLive{l, s}, err
}

type panickingLive struct {
	store.Live
	store panickingStore
}

func (l panickingLive) ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error) {
	l.store.read.step()
	return l.Live.ReadAudioAt(ctx, p, off)
}

// Local makes sessions keep their samples, so that only sockets read.
func (l panickingLive) Local() bool { return false }

func (l panickingLive) Confirm(ctx context.Context, boundary, seq int64) error {
	l.store.confirm.step()
	return l.Live.Confirm(ctx, boundary, seq)
}

// logTo sets a log that tests may read while it is written.
func logTo(deps *Deps) *bytes.Buffer {
	lines := &bytes.Buffer{}
	deps.Log = zerolog.New(zerolog.SyncWriter(lines))
	return lines
}

// inFaultyBubble runs a test in a bubble with changed parts.
func inFaultyBubble(t *testing.T, change func(*Deps), test func(t *testing.T, w *bubble)) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, change: change}
		w.start()
		defer w.stop()
		test(t, w)
	})
}

// checkFault checks that one panic was counted and logged, with its stack.
func checkFault(t *testing.T, w *bubble, lines *bytes.Buffer, where string) {
	t.Helper()
	if all, here := counted(t, w.server, "steno_panics_total", ""), counted(t, w.server, "steno_panics_total",
		where); all != 1 || here != 1 {
		t.Errorf("%v panics were counted, %v of them in %s", all, here, where)
	}
	text := lines.String()
	if n := strings.Count(text, "panic recovered"); n != 1 || !strings.Contains(text, "(*panicPoint).step") {
		t.Errorf("%d panics are logged: %s", n, text)
	}
}

// speakTwice sends a sentence, silence, and another one, unless the socket is closed before.
func speakTwice(c *caller) (err error) {
	for i := range 2 {
		err = errors.Join(err, c.send(speech(12, uint64(i+1))))
		time.Sleep(time.Second)
	}
	return err
}

// speaking opens a session and sends it three seconds of speech, all of which is acknowledged.
func (w *bubble) speaking() (id, url string, c *caller) {
	w.t.Helper()
	id, url = w.create()
	c = w.call(url)
	if err := c.send(speech(3, 1)); err != nil {
		w.t.Fatal(err)
	}
	c.ackedTo(96000)
	return id, url, c
}

// A panic in one session ends that session as a failure, with the result so far. Others continue.
func TestPanicEndsOneSession(t *testing.T) {
	var lines *bytes.Buffer
	inFaultyBubble(t, func(d *Deps) {
		lines = logTo(d)
		d.Engines = &engines{asr: panickingEngine{scripted.New(scripted.Config{}), panicAt(2)}}
	}, func(t *testing.T, w *bubble) {
		id, url := w.create()
		otherID, otherURL := w.create()
		c, other := w.call(url), w.call(otherURL)
		_ = errors.Join(speakTwice(c), c.stop()) // it has ended by then
		if err := errors.Join(speakTwice(other), other.stop()); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
		if code := other.end(); code != 1000 {
			t.Errorf("another session's close code %d", code)
		}
		synctest.Wait()
		time.Sleep(time.Second)
		if job := w.job(id); job.Status != messages.StatusError || *job.ErrorCode != 500 || len(job.Result) == 0 {
			t.Errorf("job %+v", job)
		}
		if job := w.job(otherID); job.Status != messages.StatusDone {
			t.Errorf("another session's job %+v", job)
		}
		checkFault(t, w, lines, recovery.Session)
	})
}

// Panics in a socket's goroutines end its recording; its client gets the rest on the next socket.
func TestPanicInASocket(t *testing.T) {
	for name, panicking := range map[string]panickingStore{
		"reader": {claim: panicAt(0), read: panicAt(1), confirm: panicAt(0)}, // looks where the resent bytes belong
		"pinger": {claim: panicAt(0), read: panicAt(0), confirm: panicAt(1)},
	} {
		t.Run(name, func(t *testing.T) {
			var lines *bytes.Buffer
			inFaultyBubble(t, func(d *Deps) {
				lines = logTo(d)
				panicking.Store = d.Store
				d.Store = panicking
			}, func(t *testing.T, w *bubble) {
				id, url := w.create()
				c := w.call(url)
				err := c.send(speech(3, 1)) // the pinger's socket may be gone by then
				if name == "reader" {
					if err != nil {
						t.Fatal(err)
					}
					c.ackedTo(96000)
					c.hangUp()
					c = w.callAt(url, 32000)
					_ = c.send(speech(1, 2)) // the socket may be gone by then
				}
				if code := c.end(); code == 1000 {
					t.Error("the socket has seen no panic")
				}
				again := w.call(url)
				if code := again.end(); code != 1000 {
					t.Errorf("the next socket's close code %d", code)
				}
				again.await("end of the recording", func(f frame) bool { return f.Type == "post_final_transcript" })
				time.Sleep(time.Second)
				if job := w.job(id); job.Status != messages.StatusError || *job.ErrorCode != 500 ||
					len(job.Result) == 0 {
					t.Errorf("job %+v", job)
				}
				checkFault(t, w, lines, recovery.Session)
			})
		})
	}
}

// A panic in the watchdog's work affects one session, and the work is tried again.
func TestPanicInATask(t *testing.T) {
	var lines *bytes.Buffer
	inFaultyBubble(t, func(d *Deps) {
		lines = logTo(d)
		d.Store = panickingStore{d.Store, panicAt(1), panicAt(0), panicAt(0)}
	}, func(t *testing.T, w *bubble) {
		id, _ := w.create()
		time.Sleep(61 * time.Second) // no client connects: the session is to be claimed and ended
		otherID, otherURL := w.create()
		c := w.call(otherURL)
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("another session's close code %d", code)
		}
		time.Sleep(61 * time.Second)
		if job := w.job(id); job.Status != messages.StatusError || *job.ErrorCode != 408 {
			t.Errorf("job %+v", job)
		}
		if job := w.job(otherID); job.Status != messages.StatusDone {
			t.Errorf("another session's job %+v", job)
		}
		checkFault(t, w, lines, recovery.Task)
	})
}

// A session that panics whenever it is opened is not tried forever.
func TestPanicWhileOpening(t *testing.T) {
	var lines *bytes.Buffer
	broken := &engines{asr: scripted.New(scripted.Config{})}
	inFaultyBubble(t, func(d *Deps) {
		lines = logTo(d)
		d.Engines = broken
	}, func(t *testing.T, w *bubble) {
		id, _, _ := w.speaking()
		w.stop()
		w.change = func(d *Deps) {
			lines = logTo(d)
			d.Engines = nil // a panic for every caller that needs an engine
		}
		w.start()
		time.Sleep(35 * time.Second)
		if job := w.job(id); job.Status != messages.StatusError || *job.ErrorCode != 500 {
			t.Errorf("job %+v", job)
		}
		if n := strings.Count(lines.String(), "panic recovered"); n != 1 {
			t.Errorf("%d panics are logged: %s", n, lines)
		}
	})
}

// A job whose transcription panics fails; the worker continues with the next.
func TestPanicEndsOneJob(t *testing.T) {
	r := recordedServer(t, nil, func(r *testServer) { r.engines.asr = panickingEngine{r.engines.asr, panicAt(1)} })
	body := `{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(12, 1), 16000, 1)).AudioURL + `"}`
	if job := r.awaitJob(r.createJob(body)); job.Status != messages.StatusError || *job.ErrorCode != 500 {
		t.Errorf("job %+v", job)
	}
	if job := r.awaitJob(r.createJob(body)); job.Status != messages.StatusDone {
		t.Errorf("the next job %+v", job)
	}
	if n := counted(t, r.server, "steno_panics_total", recovery.Job); n != 1 {
		t.Errorf("%v panics were counted", n)
	}
}

// panickingQueue panics at one lease of a job whose audio must be fetched.
type panickingQueue struct {
	store.Store
	*panicPoint
}

func (q panickingQueue) LeaseJob(ctx context.Context, node string, lease time.Duration, want store.Want) (store.Lease,
	bool, error) {
	if want.Fetch {
		q.step()
	}
	return q.Store.LeaseJob(ctx, node, lease, want)
}

// A panic while a job is leased for fetching stops nothing: it is leased a little later.
func TestPanicWhileTakingAFetch(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Jobs.Fetches = 1 }, func(r *testServer) {
		r.wrap = func(s store.Store) store.Store { return panickingQueue{s, panicAt(1)} }
	})
	at := fileServer(t, map[string][]byte{"/a.wav": wavOf(speech(2, 1), 16000, 1)})
	if job := r.awaitJob(r.createJob(`{"audio_url":"` + at + `/a.wav"}`)); job.Status != messages.StatusDone {
		t.Errorf("job %+v", job)
	}
	if n := counted(t, r.server, "steno_panics_total", recovery.Task); n != 1 {
		t.Errorf("%v panics were counted", n)
	}
}

// A panic in the measurement of the engines' load ends nothing, and measuring continues.
func TestPanicWhileMeasuring(t *testing.T) {
	var lines *bytes.Buffer
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		fault, asked := panicAt(1), 0
		w := &bubble{t: t, dir: dir, config: Config{Admission: admission.Config{Headroom: true}},
			change: func(d *Deps) {
				lines = logTo(d)
				d.EngineLoad = func(context.Context) []admission.EngineLoad {
					asked++
					fault.step()
					return nil
				}
			}}
		w.start()
		defer w.stop()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if asked < 2 {
			t.Errorf("engines were asked %d times", asked)
		}
		checkFault(t, w, lines, recovery.Task)
	})
}
