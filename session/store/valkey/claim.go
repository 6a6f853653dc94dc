package valkey

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/valkey-io/valkey-go"
	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
)

var sessionClaim = script("session_claim", "record", "session")

// Claim implements store.Sessions.
func (s *sessions) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	l := s.newLive(id)
	if err := l.claim(ctx, intent); err != nil {
		l.end()
		if !errors.Is(err, store.ErrClaimed) && !errors.Is(err, store.ErrNotFound) {
			s.running.Go(func() { _ = s.insist(s.life, sessionRelease, append(l.claimArgs(), "0")...) }) // it may have been claimed
		}
		return nil, fmt.Errorf("claim session: %w", err)
	}
	s.probe(id) // a former handle of this process
	s.mu.Lock()
	s.handles[l], s.holders[id] = true, l
	s.mu.Unlock()
	l.flushing.Go(l.flush)
	return l, nil
}

func (s *sessions) newLive(id string) *live {
	l := &live{
		sessions: s, id: id, nonce: rand.Text(),
		lost: make(chan struct{}), work: make(chan struct{}, 1), closing: make(chan struct{}), released: make(chan struct{}),
		grown: make(chan struct{}), pace: rate.NewLimiter(rate.Every(commitEvery), commitBurst), ahead: readAhead{size: segmentSize},
	}
	l.accepted.seqs = map[messages.Key]int64{}
	l.accepted.checkpoints, l.accepted.saved = map[int][]byte{}, map[int][]byte{}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// claim asks the server for the session and loads its state.
func (l *live) claim(ctx context.Context, intent store.Intent) error {
	s := l.sessions
	l.seized = intent == store.TakeOver
	asked := time.Now()
	m, err := s.run(ctx, sessionClaim, l.id, l.nonce, s.node, ms(s.lease), ms(s.window), flag(l.seized))
	if err != nil {
		return err
	}
	left, err := l.load(m)
	if err != nil {
		return err
	}
	l.renewed(asked, left)
	return l.loadEvents(ctx)
}

// load takes the answer of session_claim. It returns how long the lease lasts.
func (l *live) load(m valkey.ValkeyMessage) (left time.Duration, err error) {
	answer, err := m.ToArray()
	if err != nil || len(answer) != 10 {
		return 0, fmt.Errorf("%w: answer to a claim: %w", store.ErrAway, err)
	}
	var r answerReader
	a := &l.accepted
	l.account, l.generation, left = r.text(answer[0]), r.integer(answer[1]), time.Duration(r.integer(answer[2]))*time.Millisecond
	state := r.integers(answer[3])
	if len(state) != 6 {
		return 0, fmt.Errorf("%w: answer to a claim: %d fields", store.ErrAway, len(state))
	}
	a.durable, a.seq, a.marks.Boundary, a.marks.Seq = state[0], state[3], state[4], state[5]
	checkpoints := r.texts(answer[4])
	for i := 0; i+1 < len(checkpoints); i += 2 {
		lane, err := strconv.Atoi(checkpoints[i])
		r.keep(err)
		a.saved[lane], a.checkpoints[lane] = []byte(checkpoints[i+1]), []byte(checkpoints[i+1])
	}
	a.marks.Sent, a.silences = r.integers(answer[5]), r.integers(answer[6])
	slices.Sort(a.silences)
	l.record, err = answer[9].AsStrMap()
	r.keep(err)
	l.folder, l.limit = l.record["folder"], bytesOf(l.record["params"], fullAfter)
	a.stopped = l.record["stopped"] == "1"
	l.told.Seq = a.seq
	if r.err != nil {
		return 0, r.err
	}
	a.segments, a.journal, err = readJournal(state[1], a.durable, answer[7], answer[8])
	return left, err
}

// readJournal reads segments, and the pieces of a tail that begin at start. What the segments have is not in the tail returned.
func readJournal(start, size int64, segments, pieces valkey.ValkeyMessage) ([]segment, tail, error) {
	var r answerReader
	var list []segment
	t := tail{start: start}
	for _, text := range r.texts(segments) {
		s, err := parseSegment(text)
		r.keep(err)
		list = append(list, s)
	}
	for _, piece := range r.texts(pieces) {
		t.bytes = append(t.bytes, piece...)
	}
	if r.err == nil && t.end() != size {
		r.err = fmt.Errorf("journal of %d bytes ends at %d", size, t.end())
	}
	if r.err != nil {
		return nil, tail{}, r.err
	}
	if len(list) > 0 {
		t.drop(list[len(list)-1].end)
	}
	return list, t, nil
}

// loadEvents learns the keys of the events that are logged, and keeps the last events themselves: the server may have told the
// former holder alone that it has them, and forget them with it.
func (l *live) loadEvents(ctx context.Context) error {
	const page = 256
	now := time.Now()
	for after := int64(0); after < l.accepted.seq; {
		events, err := l.sessions.events(ctx, "", l.id, after, page)
		if err != nil {
			return err
		}
		for _, e := range events {
			l.accepted.seqs[e.Key] = e.Seq
			l.accepted.kept = append(l.accepted.kept, keptEvent{e, now})
			after = e.Seq
		}
		l.accepted.forget(now)
		if len(events) < page {
			break
		}
	}
	return nil
}

// bytesOf is how many bytes of a live request's audio are as long as d, by its format; those of the default format where
// the request cannot be read.
func bytesOf(params string, d time.Duration) int64 {
	format := struct {
		BitDepth   int `json:"bit_depth"`
		SampleRate int `json:"sample_rate"`
		Channels   int `json:"channels"`
	}{16, 16000, 1}
	_ = json.Unmarshal([]byte(params), &format)
	rate := int64(format.BitDepth) / 8 * int64(format.SampleRate) * int64(format.Channels)
	if rate <= 0 || rate > 8*4*48000 {
		rate = 32000
	}
	return rate * int64(d/time.Second)
}

// answerReader reads answers and keeps the first error.
type answerReader struct{ err error }

func (r *answerReader) keep(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("%w: %w", store.ErrAway, err)
	}
}

// text is the text of a message; empty for nothing.
func (r *answerReader) text(m valkey.ValkeyMessage) string {
	if m.IsNil() {
		return ""
	}
	text, err := m.ToString()
	r.keep(err)
	return text
}

func (r *answerReader) texts(m valkey.ValkeyMessage) []string {
	list, err := m.ToArray()
	r.keep(err)
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = r.text(list[i])
	}
	return texts
}

func (r *answerReader) integer(m valkey.ValkeyMessage) int64 {
	if m.IsInt64() {
		n, err := m.AsInt64()
		r.keep(err)
		return n
	}
	n, err := parseInteger(r.text(m))
	r.keep(err)
	return n
}

func (r *answerReader) integers(m valkey.ValkeyMessage) []int64 {
	n, err := integers(r.texts(m))
	r.keep(err)
	return n
}
