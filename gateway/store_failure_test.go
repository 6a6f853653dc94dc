package gateway

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded/embeddedtest"
)

// fullStore is a store that has no room for outcomes for a while.
type fullStore struct {
	store.Store
	times atomic.Int64 // that it refuses one
}

func (f *fullStore) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	live, err := f.Store.Claim(ctx, id, intent)
	return &fullLive{live, f}, err
}

type fullLive struct {
	store.Live
	store *fullStore
}

func (l *fullLive) Finish(ctx context.Context, o store.Outcome) error {
	if l.store.times.Add(-1) >= 0 {
		return errors.New("no room")
	}
	return l.Live.Finish(ctx, o)
}

// TestOutcomeNotKept: after an outcome that could not be stored, clients reconnect and their
// sessions end, whether the client answers the close of its socket or not.
func TestOutcomeNotKept(t *testing.T) {
	for name, answers := range map[string]bool{"client": true, "silent client": false} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			dir := embeddedtest.Folder(t)
			synctest.Test(t, func(t *testing.T) {
				w := &bubble{t: t, dir: dir, change: func(d *Deps) {
					f := &fullStore{Store: d.Store}
					f.times.Store(1)
					d.Store, d.Log = f, zerolog.New(zerolog.SyncWriter(&log))
				}}
				w.start()
				id, url := w.create()
				told := w.speak(url, answers)
				time.Sleep(20 * time.Second) // within the resume window
				synctest.Wait()
				if got := w.job(id).Status; got != messages.StatusProcessing {
					t.Errorf("status %s", got)
				}
				back := w.call(url)
				if code := back.end(); code != 1000 {
					t.Errorf("closed with %d, want 1000", code)
				}
				if all := append(told, back.all()...); !slices.ContainsFunc(all, func(f frame) bool {
					return f.Type ==
						"post_final_transcript"
				}) {
					t.Errorf("no post_final_transcript among %d frames", len(all))
				}
				if got := w.job(id).Status; got != messages.StatusDone {
					t.Errorf("status %s", got)
				}
				w.stop()
			})
			if text := log.String(); !strings.Contains(text, "no room") || strings.Contains(text, "panicked") {
				t.Errorf("log %s", text)
			}
		})
	}
}

// speak sends all of a session and waits for the end of its socket, or does not even answer that.
// It returns the messages that the client was sent.
func (w *bubble) speak(url string, answers bool) []frame {
	w.t.Helper()
	if answers {
		c := w.call(url)
		if err := errors.Join(c.send(speech(3, 1)), c.stop()); err != nil {
			w.t.Fatal(err)
		}
		if code := c.end(); int(code) != messages.CloseInternal.Code {
			w.t.Errorf("closed with %d, want %d", code, messages.CloseInternal.Code)
		}
		return c.all()
	}
	conn := w.silent(url)
	stop := []byte(`{"type":"stop_recording"}`)
	if err := errors.Join(conn.Write(w.t.Context(), websocket.MessageBinary, speech(3, 1)), conn.Write(w.t.Context(),
		websocket.MessageText, stop)); err != nil {
		w.t.Fatal(err)
	}
	return nil
}
