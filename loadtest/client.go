package loadtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"steno/messages"
)

// client is one speaker: it plays its tracks one after the other, each in a live session of its
// own.
type client struct {
	number   int
	options  Options
	api      *api
	figures  *figures
	schedule *schedule
	losses   *rand.Rand // when its connections are lost
	slow     bool       // it reads slowly
}

// play streams all tracks, the first one from the time start on. It returns an error only when ctx
// has ended; what goes wrong with a session is counted.
func (c *client) play(ctx context.Context, tracks []*track, start time.Time) error {
	if err := sleep(ctx, time.Until(start)); err != nil {
		return err
	}
	c.losses = c.options.random(c.number, dropDraw)
	c.slow = !c.options.readsFast(c.number)
	for _, t := range tracks {
		c.figures.opened(1)
		err := c.stream(ctx, t)
		c.figures.opened(-1)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			c.figures.trouble("session: %.200s", err)
			c.figures.add(func(n *counts) { n.Failed++ })
			continue
		}
		c.figures.add(func(n *counts) { n.Done++ })
	}
	return nil
}

// errLate ends a session that does not come to its end.
var errLate = errors.New("not closed in time after the last audio")

// stream runs one live session to its end. A session that ctx ends is cancelled.
func (c *client) stream(ctx context.Context, t *track) error {
	asked := time.Now()
	session, err := c.api.create(ctx, newRequest(c.options, t.format))
	if err != nil {
		return err
	}
	c.figures.delay(createDelay, asked, time.Now())
	l, err := c.hold(ctx, session, t)
	switch {
	case err == nil:
		return c.check(ctx, session.ID, l)
	case ctx.Err() != nil: // nobody comes back to it
		if err := c.api.cancel(ctx, session.ID); err != nil {
			c.figures.trouble("left on the server: %.200s", err)
		}
	}
	return err
}

// hold streams a track to an open session that has its followers, and returns when the server has
// closed it, with what it said.
func (c *client) hold(ctx context.Context, session created, t *track) (*listener, error) {
	p := newPace(t, c.options.Chunk, time.Now())
	p.jitter, p.seed = c.options.Jitter, c.options.random(c.number, jitterDraw).Uint64()
	l := newListener(c.number, p, c.figures, c.options.Transcript)
	l.muted, l.words = c.slow, newHeardWords(t)
	ctx, cancel := context.WithDeadlineCause(ctx, p.end().Add(c.options.Patience), errLate)
	defer cancel()
	followers := c.follow(ctx, session.ID, p)
	err := c.converse(ctx, session.URL, p, l)
	if err != nil {
		cancel() // the followers too
	}
	followers.wait(l, err == nil)
	return l, err
}

// converse holds the conversation of one session over as many sockets as it takes, until the server
// closes it.
func (c *client) converse(ctx context.Context, url string, p pace, l *listener) error {
	failures := 0    // sockets in a row that did not bring the session forward
	stopped := false // on any of the sockets
	sent := int64(0) // by all of them together
	defer func() { c.figures.spoke(p.track.duration(sent)) }()
	for sockets := 0; ; {
		asked := time.Now()
		conn, err := dial(ctx, c.api.client, url, nil)
		if err == nil {
			c.figures.delay(connectDelay, asked, time.Now())
			if sockets++; sockets > 1 {
				c.figures.add(func(n *counts) { n.Reconnects++ })
			}
			before := l.acked.Load()
			s := &socket{
				conn: conn, pace: p, listener: l, figures: c.figures, schedule: c.schedule, slow: c.slow,
				drop: c.options.untilDrop(c.losses),
			}
			code, stopSent, err := s.run(ctx)
			sent = max(sent, s.sent)
			stopped = stopped || stopSent || l.stopAcked
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			c.figures.closed(code)
			if over, err := verdict(code, stopped, err); over {
				return err
			}
			if l.acked.Load() > before {
				failures = 0
			}
		}
		if ctx.Err() == nil {
			failures++
			_ = sleep(ctx, backoff(failures)) // it ends early with ctx
		}
		switch {
		case ctx.Err() != nil && err != nil:
			return fmt.Errorf("%w; %w", context.Cause(ctx), err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
}

// verdict reports whether a session ended with the close of a socket, and if so whether with an
// error.
func verdict(code int, stopped bool, cause error) (over bool, err error) {
	switch {
	case code == messages.CloseFinished.Code && stopped:
		return true, nil
	case code == messages.CloseFinished.Code:
		return true, errors.New("closed with 1000 before the audio was over")
	case code == 1001 || code >= 4400 && code < 4500:
		return true, fmt.Errorf("given up: %w", cause)
	}
	return false, nil
}

// check holds what was received against the record of the session.
func (c *client) check(ctx context.Context, id string, l *listener) error {
	job, err := c.api.job(ctx, id)
	if err != nil {
		return err
	}
	var result messages.LiveResult
	if len(job.Result) > 0 {
		if err := json.Unmarshal(job.Result, &result); err != nil {
			return fmt.Errorf("decode result: %w", err)
		}
	}
	l.compare(result.Transcription.Utterances)
	c.figures.heard(l.words.errors())
	if l.acked.Load() != l.pace.track.length && !recordedWhole(job, l.pace.track) {
		return fmt.Errorf("finished with %d of %d bytes acknowledged", l.acked.Load(), l.pace.track.length)
	}
	if job.Status != messages.StatusDone {
		code := 0
		if job.ErrorCode != nil {
			code = *job.ErrorCode
		}
		return fmt.Errorf("record says %q, error_code %d", job.Status, code)
	}
	return nil
}

// recordedWhole reports whether the record of a session tells that all of a track has arrived. The
// last acknowledgments may have been lost with a socket, after which the session ended: they are
// not sent again.
func recordedWhole(job messages.Job, t *track) bool {
	const rounding = time.Millisecond
	if job.File == nil || job.File.AudioDuration == nil {
		return false
	}
	return (t.duration(t.length) - seconds(*job.File.AudioDuration)).Abs() <= rounding
}
