package subscribers

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/panics"
)

// leastRoom is how many bytes may wait for each of several subscriptions, which else share what may
// wait for one.
const leastRoom = 16 << 10

// multiplex is one connection with the events of several sessions: a subscription for each, whose
// messages it sends one at a time. Ids have the positions of all, in the order in which the query
// names the sessions.
type multiplex struct {
	service *Service
	list    []*subscription
	resync  bool // the client's positions were of another history of the store

	out   connection
	sse   *sse // out, where it is one
	epoch int64

	mu        sync.Mutex // held while something is written
	positions []int64
	last      time.Time // something was written
	end       *ending   // how the connection is to end; nil: as the session's
}

// part is the transport of one of the subscriptions.
type part struct {
	*multiplex
	index int
}

// followSeveral answers GET /v2/events with the events of the sessions that the query names.
func (s *Service) followSeveral(w http.ResponseWriter, r *http.Request, p *web.Principal,
	query *messages.EventsQuery) error {
	for _, id := range query.Sessions {
		if !p.MayUse(id) {
			return web.Problem(http.StatusForbidden, "the token is for other sessions")
		}
	}
	epoch, err := s.cfg.Store.Epoch(r.Context())
	if err != nil {
		return fmt.Errorf("ask for epoch: %w", err)
	}
	m := &multiplex{service: s, epoch: epoch, positions: make([]int64, len(query.Sessions)), last: time.Now()}
	room := max(leastRoom, queueBytes/len(query.Sessions))
	for _, id := range query.Sessions {
		t, err := s.newSubscription(r.Context(), p, query, id, epoch, room)
		if err != nil {
			return err
		}
		t.out = &part{m, len(m.list)}
		m.list = append(m.list, t)
	}
	over, err := m.locate(r, query)
	if err != nil {
		return err
	}
	m.out = newConnection(w, r, query)
	m.sse, _ = m.out.(*sse)
	return s.connect(w, r, m.list, m.out, over, m.run)
}

// locate sets the positions at which the subscriptions begin. It returns over if the client has
// everything, and nothing follows.
func (m *multiplex) locate(r *http.Request, query *messages.EventsQuery) (over bool, err error) {
	text, field := positionOf(r, query)
	epoch, list, ok := messages.ParsePositions(text)
	switch {
	case text == "" || text == "0":
		return false, nil
	case !ok || epoch == 0 || len(list) != len(m.list):
		return false, messages.Invalid(field, "must be 0 or an id of a stream of the same sessions")
	case epoch != m.epoch:
		m.resync = true
		return false, nil
	}
	left := 0
	for i, t := range m.list {
		t.position = list[i]
		over, err := t.settle(r.Context(), true)
		if err != nil {
			return false, err
		}
		if m.positions[i] = t.position; !over {
			left++
		}
	}
	return left == 0, nil
}

// run runs the subscriptions until all have ended, the client is gone or ctx ends. A panic of one
// is raised again here, where the request ends with it.
func (m *multiplex) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all panics.Group
	for _, t := range m.list {
		all.Go(func() {
			over := false
			defer func() {
				if !over {
					cancel() // its writes failed, and so will those of the others, or it panicked
				}
			}()
			over = m.service.run(ctx, t, m.resync)
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return
	}
	end := endFinished
	if m.end != nil {
		end = *m.end
	}
	m.out.close(end, "", m.id())
}

// id is where the subscriptions are, as clients send it back. It is called with mu held, or at the
// end.
func (m *multiplex) id() string { return messages.FormatPosition(m.epoch, m.positions...) }

func (p *part) send(publications []*publication) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Now()
	if p.sse == nil {
		return p.out.send(publications)
	}
	texts := make([][]byte, 0, 2*len(publications))
	for _, f := range publications {
		if f.position > 0 {
			p.positions[p.index] = f.position
			texts = append(texts, []byte("id: "+p.id()+"\n"))
		}
		texts = append(texts, f.unnamed())
	}
	return p.sse.write(texts...)
}

func (p *part) tell(kind string, text []byte, _ string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Now()
	return p.out.tell(kind, text, p.id())
}

// heartbeat does nothing where one of the subscriptions has written something meanwhile.
func (p *part) heartbeat() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < heartbeat {
		return nil
	}
	p.last = time.Now()
	return p.out.heartbeat()
}

// close notes how the connection is to end. That a session has ended or was deleted ends no other's
// subscription.
func (p *part) close(e ending, _, _ string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e != endFinished && e != endDeleted && p.end == nil {
		p.end = &e
	}
}

func (p *part) cut() { p.out.cut() }
