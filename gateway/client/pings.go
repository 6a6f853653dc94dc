package client

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"steno/session/store"
)

// mark is what a client has received once it answers a ping.
type mark struct {
	boundary int64 // bytes of audio acknowledged
	seq      int64 // number of the last logged event
}

// mostAwaited is how many pongs may be awaited at a time.
const mostAwaited = 4

// ping is one that was sent.
type ping struct {
	number   uint64
	at       int64         // when it was sent, ns
	mark     mark          // that its pong confirms
	answered chan struct{} // closed by it; may be nil
}

// pings find out what the client of a socket has received: frames keep their order, so a pong
// confirms everything that was written before its ping. One ping is under way, and more where
// something urgent follows. The methods are called by the writer, pong by the reader.
type pings struct {
	client *Client
	last   time.Time    // when the last one was sent
	next   time.Time    // when the next one is due that confirms something
	asked  mark         // before it
	urgent bool         // something was written since then whose ping does not wait until it is due
	since  atomic.Int64 // since when a pong is awaited, ns; 0: none is

	mu      sync.Mutex
	number  uint64 // of the last one
	awaited int    // how many are
	pings   [mostAwaited]ping
	payload [20]byte // room for the number; the writer's
}

// start begins the time after which the first ping is due. Sockets that are opened at the same time
// send theirs at different times: all pongs at once would hold up audio.
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

// behind puts a ping after the message that is written next, if one is due then. It tells what the
// client will have received with that message.
func (p *pings) behind(sent mark) {
	if sent != p.asked && p.may() && (p.urgent || time.Until(p.asks(sent)) <= confirmSlack) {
		p.client.conn.PingBehind(p.begin(sent, nil))
	}
}

// asks is when a ping is due that confirms what was sent and no ping has asked for.
func (p *pings) asks(sent mark) time.Time {
	if sent.seq != p.asked.seq {
		return p.next
	}
	return p.next.Add(ackConfirmEvery - eventConfirmEvery)
}

// due is how long it is until a ping is due beside any message, or to be thought of again.
func (p *pings) due(sent mark) (left time.Duration) {
	at, again := p.last.Add(p.client.all.cfg.Limits.Ping), eventConfirmEvery
	switch {
	case sent == p.asked:
	case p.urgent:
		at, again = p.last, urgentAgain
	default:
		at = p.asks(sent).Add(confirmSlack) // a message may come that takes it along
	}
	if left = time.Until(at); left <= 0 && !p.may() {
		return again
	}
	return left
}

// send sends a ping.
func (p *pings) send(sent mark) error { return p.client.conn.Ping(p.begin(sent, nil)) }

// may reports whether the client can answer a ping: those before are answered, but for few where it
// is urgent, and none of its messages is under way. Some clients read nothing until they have sent
// it.
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

// begin begins to wait for a pong that confirms what was sent, and returns the payload of its ping.
// Where too many are awaited the pong of the oldest says nothing any more. answered, if it is not
// nil, is closed once the pong has come.
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

// pong stores what a pong confirms. It answers the pings before its own as well.
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

// marked returns what the pong with a number confirms, if it is awaited.
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

// end ends the wait for the pongs up to the one with a number.
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

// forget removes the oldest pings. It is called with mu held.
func (p *pings) forget(n int) {
	rest := copy(p.pings[:], p.pings[n:p.awaited])
	clear(p.pings[rest:])
	p.awaited = rest
}

// await asks whether the client has received everything, and waits for a time. It reports whether
// the client has answered.
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

// confirm stores what the client has received. If that fails, it is sent again on the next socket.
func (p *pings) confirm(m mark) {
	k := p.client
	err := k.ledger.Confirm(k.all.life, m.boundary, m.seq)
	if k.faulty(err) && !errors.Is(err, store.ErrLost) { // the session was dropped
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("confirmation not kept")
	}
}
