package client

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"steno/session/store"
)

// mark is what a client has received when it answers a ping.
type mark struct {
	boundary int64 // bytes of audio acknowledged
	seq      int64 // number of the last logged event
}

// mostAwaited is how many pongs may be awaited at a time.
const mostAwaited = 4

// ping is a ping that was sent.
type ping struct {
	number   uint64
	at       int64         // when it was sent, ns
	mark     mark          // confirmed by its pong
	answered chan struct{} // closed by the pong; may be nil
}

// pings find out what the client of a socket has received: frames keep their order, so a pong
// confirms everything written before its ping. Usually one ping awaits its pong, more if something
// urgent follows. The methods are called by the writer, pong by the reader.
type pings struct {
	client *Client
	last   time.Time    // when the last ping was sent
	next   time.Time    // when the next confirming ping is due
	asked  mark         // written before the last ping
	urgent bool         // something urgent was written since
	since  atomic.Int64 // when the oldest awaited pong was asked for, ns; 0: none is awaited

	mu      sync.Mutex
	number  uint64 // of the last ping
	awaited int    // pings that await their pong
	pings   [mostAwaited]ping
	payload [20]byte // room for the number; the writer's
}

// start starts the interval before the first ping. Sockets that are opened at the same time send
// theirs at different times: simultaneous pongs would delay audio.
func (p *pings) start() {
	p.last = time.Now()
	p.next = p.last.Add(eventConfirmEvery - shareOf(uint64(p.client.order-1), ackConfirmEvery))
}

// shareOf returns the part of a period for the nth of any number of sockets: those of consecutive
// ones are spread over it evenly, as multiples of the golden ratio are (Knuth, The Art of Computer
// Programming, volume 3, section 6.4).
func shareOf(n uint64, period time.Duration) time.Duration {
	const golden = 0x9E3779B9 // of 1<<32
	return time.Duration(uint64(uint32(n*golden)) * uint64(period) >> 32)
}

// follow sends a ping directly after the message that is written next, if one is due. sent is what
// the client will have received with that message.
func (p *pings) follow(sent mark) {
	if sent != p.asked && p.may() && (p.urgent || time.Until(p.asks(sent)) <= confirmSlack) {
		p.client.conn.PingBehind(p.begin(sent, nil))
	}
}

// asks returns when a ping is due to confirm what was sent since the last one.
func (p *pings) asks(sent mark) time.Time {
	if sent.seq != p.asked.seq {
		return p.next
	}
	return p.next.Add(ackConfirmEvery - eventConfirmEvery)
}

// due returns how long to wait until a ping is due without a message, or until due is called again.
func (p *pings) due(sent mark) (left time.Duration) {
	at, again := p.last.Add(p.client.all.cfg.Limits.Ping), eventConfirmEvery
	switch {
	case sent == p.asked:
	case p.urgent:
		at, again = p.last, urgentAgain
	default:
		at = p.asks(sent).Add(confirmSlack) // so that it can follow a message
	}
	if left = time.Until(at); left <= 0 && !p.may() {
		return again
	}
	return left
}

// send sends a ping.
func (p *pings) send(sent mark) error { return p.client.conn.Ping(p.begin(sent, nil)) }

// may reports whether a ping may be sent. All earlier ones must be answered, or few be open if it
// is urgent. And none of the client's messages may be incomplete: some clients read nothing while
// they send.
func (p *pings) may() bool {
	if p.client.conn.Within() {
		return false
	}
	if p.since.Load() == 0 {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.urgent && p.awaited < mostAwaited
}

// begin registers a ping that confirms what was sent, and returns its payload. If too many await
// their pong the oldest is dropped. answered, unless nil, is closed once the pong has arrived.
func (p *pings) begin(sent mark, answered chan struct{}) []byte {
	p.last = time.Now()
	p.next = p.asks(sent).Add(eventConfirmEvery)
	if soon := p.last.Add(eventConfirmEvery); p.urgent || p.next.Before(soon) {
		p.next = soon
	}
	p.asked, p.urgent = sent, false
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number++
	if p.awaited == mostAwaited {
		p.forget(1)
	}
	p.pings[p.awaited] = ping{number: p.number, at: p.last.UnixNano(), mark: sent, answered: answered}
	p.awaited++
	p.since.Store(p.pings[0].at)
	return strconv.AppendUint(p.payload[:0], p.number, 10)
}

// pong stores what a pong confirms. It counts for all earlier pings too.
func (p *pings) pong(payload []byte) {
	number, err := strconv.ParseUint(string(payload), 10, 64)
	m, awaited := p.marked(number)
	if err != nil || !awaited {
		return
	}
	if m != (mark{}) {
		p.confirm(m)
	}
	p.end(number)
}

// marked returns what the pong with a number confirms. awaited reports whether it is awaited.
func (p *pings) marked(number uint64) (m mark, awaited bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.awaited {
		if p.pings[i].number == number {
			return p.pings[i].mark, true
		}
	}
	return mark{}, false
}

// end removes the pings up to a number, whose pong has arrived.
func (p *pings) end(number uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answered := 0
	for ; answered < p.awaited && p.pings[answered].number <= number; answered++ {
		if done := p.pings[answered].answered; done != nil {
			close(done)
		}
	}
	p.forget(answered)
	p.since.Store(p.pings[0].at)
}

// forget removes the oldest n pings. It is called with mu held.
func (p *pings) forget(n int) {
	rest := copy(p.pings[:], p.pings[n:p.awaited])
	clear(p.pings[rest:])
	p.awaited = rest
}

// await pings the client and waits for the pong, at most for within. It reports whether the client
// has answered.
func (p *pings) await(sent mark, within time.Duration) bool {
	answered := make(chan struct{})
	if p.client.conn.Ping(p.begin(sent, answered)) != nil {
		return false
	}
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-answered:
		return true
	case <-p.client.gone:
	case <-p.client.all.life.Done():
	case <-late.C:
	}
	return false
}

// confirm stores what the client has received. If that fails, the events are sent again on the next
// socket.
func (p *pings) confirm(m mark) {
	k := p.client
	err := k.ledger.Confirm(k.all.life, m.boundary, m.seq)
	if k.faulty(err) && !errors.Is(err, store.ErrLost) { // the claim was lost
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("confirmation not kept")
	}
}
