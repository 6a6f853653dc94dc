package claims

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

var sessionClaim = Scripts.Script("session_claim", "record", "session", "session_loss")

// Claim implements store.Sessions.
func (s *Sessions) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	l := s.newLive(id)
	l.connections = s.server.Connections.Load()
	if err := l.ask(ctx, intent); err != nil {
		l.end()
		if !errors.Is(err, store.ErrClaimed) && !errors.Is(err, store.ErrNotFound) {
			s.running.Go(func() {
				_ = s.server.Insist(s.life, sessionRelease, append(l.claimArgs(), server.Milliseconds(s.window))...)
			}) // it may have been claimed
		}
		return nil, fmt.Errorf("claim session: %w", err)
	}
	s.probe(id) // a former handle of this process
	s.keep(l)
	l.flushing.Go(l.flush)
	return l, nil
}

func (s *Sessions) newLive(id string) *Live {
	c := &claim{
		room: s.room, id: id, nonce: rand.Text(),
		lost: make(chan struct{}), work: make(chan struct{}, 1), closing: make(chan struct{}),
		grown: make(chan struct{}),
	}
	c.accepted.seqs = map[messages.Key]int64{}
	c.accepted.checkpoints, c.accepted.saved = map[int][]byte{}, map[int][]byte{}
	c.life, c.end = context.WithCancel(context.Background())
	f := &flusher{claim: c, pace: rate.NewLimiter(rate.Every(commitEvery), commitBurst)}
	return &Live{flusher: f, released: make(chan struct{}), forget: s.forget,
		ahead: tier.ReadAhead{Size: tier.SegmentSize}}
}

// ask asks the server for the session and loads its state.
func (c *claim) ask(ctx context.Context, intent store.Intent) error {
	s := c.room
	c.seized = intent != store.IfFree
	asked := time.Now()
	m, err := s.server.Run(ctx, sessionClaim, c.id, c.nonce, s.node, server.Milliseconds(s.lease),
		server.Milliseconds(s.window), string(intent))
	if err != nil {
		return err
	}
	left, err := c.load(m)
	if err != nil {
		return err
	}
	c.renewed(asked, left)
	return c.loadEvents(ctx)
}
