package loadtest

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"

	"steno/messages"
)

// Transcript is one transcript as a client received it.
type Transcript struct {
	Client    int    // from 0
	Recording string // the first one of the session
	ID        string // of the utterance
	Final     bool
	Utterance messages.Utterance
	At        time.Duration // since the session's first audio
	Delay     time.Duration // since the audio up to the utterance's end was due
}

// listener interprets the messages of one session's server. One goroutine at a time uses it: the
// receiver of the open socket, and the client when there is none.
type listener struct {
	client  int
	pace    pace
	figures *figures
	report  func(Transcript) // may be nil
	seed    maphash.Seed

	acked     atomic.Int64 // bytes the server has said it has; the sender reads it too
	stopAcked bool
	muted     bool                // no delays are measured: they would be the client's own
	finals    map[string]final    // by utterance id
	words     *heardWords         // nil: they are not compared with a transcript
	partial   map[string]bool     // utterances that had partials and no final yet
	ends      map[int][]speechEnd // by channel, the newest few
	open      map[int]openFinal   // by channel: the newest final, where its end of speech has not come
	events    bool                // the server tells where speech begins and ends
	begun     map[int]bool        // by channel: speech has begun of which no partial has come yet
}

type final struct {
	hash uint64 // of the whole frame
	key  string // see utteranceKey
}

type speechEnd struct {
	time    float64 // seconds of the session
	arrived time.Time
}

// keepEnds is how many speech_end messages of a channel are remembered for the finals that follow
// them.
const keepEnds = 64

func newListener(client int, p pace, f *figures, report func(Transcript)) *listener {
	return &listener{
		client: client, pace: p, figures: f, report: report, seed: maphash.MakeSeed(),
		finals: map[string]final{}, partial: map[string]bool{}, ends: map[int][]speechEnd{}, begun: map[int]bool{},
		open: map[int]openFinal{},
	}
}

// receive takes one text frame that arrived at the time now. The error reports a frame that is no
// message of the protocol.
func (l *listener) receive(b []byte, now time.Time) error {
	if from, to, ok := ackOf(b); ok {
		l.ack(from, to, now)
		return nil
	}
	if l.report == nil && isPartial(b) {
		var m partialFrame
		if err := json.Unmarshal(b, &m); err != nil {
			return fmt.Errorf("decode partial: %w", err)
		}
		u := m.Data.Utterance
		l.tookPartial(m.Data.ID, u.Channel, u.Start, u.End, now)
		return nil
	}
	var m frame
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("decode message: %w", err)
	}
	if m.Acknowledged != nil && !*m.Acknowledged {
		l.figures.trouble("refused %s", m.Type)
		return nil
	}
	switch m.Type {
	case "audio_chunk":
		if m.Data != nil && m.Data.ByteRange != nil {
			l.ack(m.Data.ByteRange[0], m.Data.ByteRange[1], now)
		}
	case "stop_recording":
		l.stopAcked = true
	case "speech_start":
		l.speechStart(m)
	case "speech_end":
		l.speechEnd(m, now)
	case "transcript":
		l.transcript(m, b, now)
	case "error":
		l.failure(m)
	}
	return nil
}

// ack takes an acknowledgment of the bytes from one position to another.
func (l *listener) ack(from, to int64, now time.Time) {
	acked := l.acked.Load()
	switch {
	case to < acked || to > l.pace.track.length:
		l.figures.trouble("ack out of range")
		return
	case from > acked:
		l.figures.add(func(c *counts) { c.Gaps++ })
	}
	if to > acked {
		l.acked.Store(to)
		l.delay(ackDelay, l.pace.due(to), now)
	}
}

// delay records how long after audio was due something came, unless this client's own slowness
// would be measured.
func (l *listener) delay(m measure, due, now time.Time) {
	if !l.muted {
		l.figures.delay(m, due, now)
	}
}

func (l *listener) failure(m frame) {
	exception := "without a name"
	if m.Error != nil && m.Error.Exception != "" {
		exception = m.Error.Exception
	}
	l.figures.trouble("error %.60s", exception)
}

func (l *listener) speechStart(m frame) {
	if l.hasChannel(m) {
		l.events, l.begun[m.Data.Channel] = true, true
	}
}

// hasChannel reports whether a message is about a channel of the session.
func (l *listener) hasChannel(m frame) bool {
	return m.Data != nil && m.Data.Channel >= 0 && m.Data.Channel < l.pace.track.format.Channels
}

func (l *listener) speechEnd(m frame, now time.Time) {
	if !l.hasChannel(m) {
		return
	}
	l.events = true
	ends := append(l.ends[m.Data.Channel], speechEnd{m.Data.Time, now})
	l.ends[m.Data.Channel] = ends[max(0, len(ends)-keepEnds):]
	if o, ok := l.open[m.Data.Channel]; ok && !l.ending(o.utterance).cut {
		l.close(m.Data.Channel)
	}
}

func (l *listener) transcript(m frame, b []byte, now time.Time) {
	if m.Data == nil {
		return
	}
	u := m.Data.Utterance
	h := Transcript{
		Client: l.client, Recording: l.pace.track.name, ID: m.Data.ID, Final: m.Data.IsFinal, Utterance: u,
		At: now.Sub(l.pace.start), Delay: now.Sub(l.pace.dueAt(u.End)),
	}
	if h.Final {
		if !l.final(&h, b, now) {
			return
		}
	} else {
		l.tookPartial(h.ID, u.Channel, u.Start, u.End, now)
	}
	if l.report != nil {
		l.report(h)
	}
}

// tookPartial counts a partial of an utterance whose words so far lie between two times of the
// session.
func (l *listener) tookPartial(id string, channel int, start, end float64, now time.Time) {
	if !l.partial[id] {
		l.partial[id] = true
		if l.begun[channel] || !l.events { // else it continues where an utterance was cut
			l.delay(firstPartial, l.pace.dueAt(start), now)
		}
		delete(l.begun, channel)
	}
	l.figures.add(func(c *counts) { c.Partials++ })
	l.delay(partialDelay, l.pace.dueAt(end), now)
}

// final takes a final and tells whether it is new.
func (l *listener) final(h *Transcript, b []byte, now time.Time) bool {
	hash := maphash.Bytes(l.seed, b)
	if old, again := l.finals[h.ID]; again {
		l.figures.add(func(c *counts) {
			if old.hash == hash {
				c.Repeats++
			} else {
				c.Differing++
			}
		})
		return false
	}
	l.finals[h.ID] = final{hash, utteranceKey(h.Utterance)}
	delete(l.partial, h.ID)
	l.figures.add(func(c *counts) { c.Finals++ })
	l.awaitEnd(h.Utterance, now, func(e ending) {
		h.Delay = now.Sub(e.due)
		l.measure(e, now)
	})
	l.words.add(h.Utterance)
	return true
}

// measure records how long a final took that arrived at the time now.
func (l *listener) measure(e ending, now time.Time) {
	if e.told.After(now) {
		e.told = now // the end of speech came after it
	}
	if !e.told.IsZero() {
		l.delay(decisionDelay, e.told, now)
	}
	switch {
	case e.cut:
		l.delay(cutDelay, e.due, now)
	case !l.muted:
		l.figures.final(e.due, now)
	}
}

// openFinal is a final whose utterance was cut, unless its end of speech follows.
type openFinal struct {
	utterance messages.Utterance
	measure   func(ending)
}

// awaitEnd has a final measured once its ending is known: when the end of speech has come, or
// something else that shows that none follows.
func (l *listener) awaitEnd(u messages.Utterance, now time.Time, measure func(ending)) {
	l.close(u.Channel)
	if e := l.ending(u); !e.cut {
		measure(e)
		return
	}
	l.open[u.Channel] = openFinal{u, measure}
}

// close has the open final of a channel measured, if there is one.
func (l *listener) close(channel int) {
	if o, ok := l.open[channel]; ok {
		delete(l.open, channel)
		o.measure(l.ending(o.utterance))
	}
}

// closeAll is called when nothing follows.
func (l *listener) closeAll() {
	for channel := range l.open {
		l.close(channel)
	}
}

// ending is the end of a final's utterance.
type ending struct {
	due  time.Time // when the audio of the end of speech was due, or that of the last word where that end is not known
	told time.Time // when the end of speech arrived; zero if it did not
	cut  bool      // while its speaker continued
}

func (l *listener) ending(u messages.Utterance) ending {
	if e, found := l.endOf(u); found {
		return ending{due: l.pace.dueAt(e.time), told: e.arrived}
	}
	return ending{due: l.pace.dueAt(u.End), cut: l.events} // a server that tells no ends may have ended it as well
}

// endOf finds the speech_end that belongs to a final: the one nearest to the end of its last word,
// at most a second away, as recognizers and detectors do not quite agree on where speech ends. An
// utterance cut at its maximum duration has none.
func (l *listener) endOf(u messages.Utterance) (speechEnd, bool) {
	const away = 1.0 // seconds
	best, found := speechEnd{}, false
	for _, e := range l.ends[u.Channel] {
		if e.time <= u.Start || math.Abs(e.time-u.End) > away {
			continue
		}
		if !found || math.Abs(e.time-u.End) < math.Abs(best.time-u.End) {
			best, found = e, true
		}
	}
	return best, found
}

// compare holds the finals received against those of the record.
func (l *listener) compare(recorded []messages.Utterance) {
	l.closeAll()
	received := map[string]int{}
	for _, f := range l.finals {
		received[f.key]++
	}
	missing := 0
	for _, u := range recorded {
		k := utteranceKey(u)
		if received[k] == 0 {
			missing++
			continue
		}
		received[k]--
	}
	unrecorded := len(l.finals) - (len(recorded) - missing)
	l.figures.add(func(c *counts) {
		c.Missing += missing
		c.Unrecorded += unrecorded
		c.Withdrawn += len(l.partial)
	})
}

// utteranceKey tells utterances of one session apart that carry no id.
func utteranceKey(u messages.Utterance) string {
	return fmt.Sprintf("%d %.3f %.3f %s", u.Channel, u.Start, u.End, u.Text)
}
