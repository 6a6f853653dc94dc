package subscribers

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
)

// heartbeat is how long a subscription is silent at most.
const heartbeat = 15 * time.Second

// subscription is one subscriber's connection. Its goroutine is that of the HTTP handler.
type subscription struct {
	service   *Service
	principal web.Principal
	source    source
	hub       *hub
	client    *client
	out       transport
	position  int64 // up to which everything wanted was written

	since atomic.Int64 // since when one write lasts, ns; 0: none is under way
}

// errEnded reports that the subscription must end, as its client determines.
var errEnded = errors.New("subscription is over")

// run writes events until the subscription ends, its client is gone or ctx ends.
func (t *subscription) run(ctx context.Context) error {
	idle := time.NewTimer(heartbeat)
	defer idle.Stop()
	for {
		err := t.replay(ctx)
		if err == nil {
			err = t.follow(ctx, idle)
		}
		if errors.Is(err, errEnded) {
			t.close(*t.client.ended())
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// replay writes the log from where the subscription is, until it has joined the hub.
func (t *subscription) replay(ctx context.Context) error {
	for !t.hub.join(t.client, t.position, false) {
		p, err := t.read(ctx)
		if err != nil {
			return err
		}
		if err := t.writePage(p); err != nil {
			return err
		}
		if p.full {
			continue
		}
		if err := t.atEnd(ctx, p); err != nil {
			return err
		}
		if t.hub.join(t.client, t.position, true) {
			return nil
		}
		if len(p.publications) == 0 { // the hub knows of more than the log has
			if err := retry.Sleep(ctx, retryAfter); err != nil {
				return err
			}
		}
	}
	return nil
}

// atEnd ends a subscription that has found the end of its log, where nothing follows it.
func (t *subscription) atEnd(ctx context.Context, p page) error {
	over := p.over
	if !over && len(p.publications) == 0 {
		var err error
		if over, err = t.source.over(ctx); err != nil {
			over = false // the hub asks again
		}
	}
	if over {
		t.client.finish(endFinished)
		return errEnded
	}
	return nil
}

// read returns what follows in the log. It waits while the store is away.
func (t *subscription) read(ctx context.Context) (page, error) {
	for missing := (absence{}); ; {
		if t.client.ended() != nil {
			return page{}, errEnded
		}
		p, err := t.source.read(ctx, t.position)
		if err == nil {
			t.service.readable()
			return p, nil
		}
		if missing.lasts(err, time.Now()) {
			t.client.finish(endDeleted)
			return page{}, errEnded
		}
		if !errors.Is(err, store.ErrNotFound) {
			t.service.unreadable(err)
		}
		if err := t.out.heartbeat(); err != nil {
			return page{}, err
		}
		if err := retry.Sleep(ctx, retryAfter); err != nil {
			return page{}, err
		}
	}
}

// writePage writes what is wanted of a page, after which the subscription is at its end.
func (t *subscription) writePage(p page) error {
	if p.resync > 0 {
		if err := t.tell(typeResync, Resync{From: p.resync}); err != nil {
			return err
		}
	}
	if len(p.publications) == 0 {
		return nil
	}
	wanted := make([]*publication, 0, len(p.publications))
	for _, f := range p.publications {
		if t.client.isWanted(f) {
			wanted = append(wanted, f)
		}
	}
	if err := t.write(wanted); err != nil {
		return err
	}
	t.position = p.publications[len(p.publications)-1].position
	return nil
}

// follow writes what the hub pushes to the client, until the client has lagged (nil), or must end
// (errEnded).
func (t *subscription) follow(ctx context.Context, idle *time.Timer) error {
	defer t.hub.leave(t.client)
	idle.Reset(heartbeat)
	var batch []*publication
	for {
		d := t.client.take(batch)
		batch = d.publications
		if err := t.write(batch); err != nil {
			return err
		}
		t.position = d.after
		switch {
		case len(batch) > 0:
			idle.Reset(heartbeat)
		case d.end != nil && d.lag == nil:
			return errEnded
		case d.lag != nil:
			return t.tell(typeLag, d.lag)
		}
		if len(batch) > 0 {
			clear(batch)
			continue // what came meanwhile
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.client.wake:
		case <-idle.C:
			if err := t.timed(t.out.heartbeat); err != nil {
				return err
			}
			idle.Reset(heartbeat)
		}
	}
}

// write writes publications, each as the transport has it.
func (t *subscription) write(publications []*publication) error {
	if len(publications) == 0 {
		return nil
	}
	if err := t.timed(func() error { return t.out.send(publications) }); err != nil {
		return err
	}
	t.service.cfg.Metrics.SubscriberEvents.Add(float64(len(publications)))
	return nil
}

// tell writes a message about the subscription.
func (t *subscription) tell(kind string, data any) error {
	text, err := newNotice(t.source.session(), kind, data)
	if err != nil {
		return err
	}
	return t.timed(func() error { return t.out.tell(kind, text, t.id()) })
}

// timed notes how long a write lasts, for the watch.
func (t *subscription) timed(write func() error) error {
	t.since.Store(time.Now().UnixNano())
	defer t.since.Store(0)
	if err := write(); err != nil {
		return fmt.Errorf("write to subscriber: %w", err)
	}
	return nil
}

// stalled reports whether the client takes no bytes for too long.
func (t *subscription) stalled(now time.Time) bool {
	since := t.since.Load()
	return since > 0 && now.UnixNano()-since > int64(t.service.cfg.Limits.WriteStall)
}

// id is where the subscription is, as clients send it back.
func (t *subscription) id() string { return messages.FormatPosition(t.source.history(), t.position) }

// close ends the connection.
func (t *subscription) close(e ending) {
	_ = t.timed(func() error {
		t.out.close(e, t.source.session(), t.id())
		return nil
	})
}
