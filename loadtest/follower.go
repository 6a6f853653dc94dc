package loadtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// followerQuery asks for what followers measure.
const followerQuery = "?receive_final_transcripts=true&receive_partial_transcripts=false" +
	"&receive_speech_events=true&receive_acknowledgments=false"

// follower is a subscriber of a session: it receives the session's finals on a connection of its
// own.
type follower struct {
	listener *listener // of the same audio, with figures of its own kind
	err      error
}

// followers are the subscribers of one session.
type followers struct {
	client *client
	all    []*follower
	ended  sync.WaitGroup
}

// follow starts the subscribers of a session. They end with it or with ctx.
func (c *client) follow(ctx context.Context, id string, p pace) *followers {
	f := &followers{client: c, all: make([]*follower, c.options.Subscribers)}
	for i := range f.all {
		w := &follower{listener: newListener(c.number, p, c.figures, nil)}
		f.all[i] = w
		f.ended.Go(func() { w.err = c.subscribe(ctx, id, w) })
	}
	return f
}

// wait returns when all subscribers have ended, and holds what they received against what the
// client of the session, which has ended, received. Of a session that did not come to its end they
// have missed nothing: they were cut off.
func (f *followers) wait(l *listener, whole bool) {
	f.ended.Wait()
	for _, w := range f.all {
		if w.err != nil {
			f.client.figures.trouble("subscriber: %.200s", w.err)
		}
		missed := 0
		for id := range l.finals {
			if _, heard := w.listener.finals[id]; whole && !heard {
				missed++
			}
		}
		f.client.figures.add(func(c *counts) {
			c.Followed += len(w.listener.finals)
			c.Unfollowed += missed
		})
	}
}

// subscribe receives the messages of a session until it ends.
func (c *client) subscribe(ctx context.Context, id string, w *follower) error {
	url := "ws" + strings.TrimPrefix(c.api.base, "http") + "/v2/live/" + id + "/events" + followerQuery
	conn, err := dial(ctx, c.api.client, url, c.api.authorization())
	if err != nil {
		return err
	}
	defer conn.CloseNow() //nolint:errcheck // closed by then or lost anyway
	kill := context.AfterFunc(ctx, func() { _ = conn.CloseNow() })
	defer kill()
	err = receive(conn, func(b []byte) error { return w.receive(b, time.Now()) })
	switch {
	case ctx.Err() != nil:
		return nil // the session's end is not the subscriber's fault
	case websocket.CloseStatus(err) == websocket.StatusNormalClosure:
		return nil
	}
	return err
}

// receive takes one message that arrived at the time now.
func (w *follower) receive(b []byte, now time.Time) error {
	var m frame
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("decode message: %w", err)
	}
	switch {
	case m.Type == "speech_start":
		w.listener.speechStart(m)
	case m.Type == "speech_end":
		w.listener.speechEnd(m, now)
	case m.Type == "transcript" && m.Data != nil && m.Data.IsFinal:
		w.listener.finals[m.Data.ID] = final{}
		w.listener.awaitEnd(m.Data.Utterance, now, func(e ending) {
			if !e.cut {
				w.listener.figures.delay(subscriberDelay, e.due, now)
			}
		})
	}
	return nil
}
