package session

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"steno/messages"
	"steno/session/addon"
	"steno/vad"
)

// mostNotes is the greatest number of notes of a session. A client that asks for more is refused.
const mostNotes = 10_000

// ErrNotes reports too many notes, or one that is too long.
var ErrNotes = errors.New("too many marks and updates")

// request is what a note asks for: one of the two.
type request struct {
	Mark   *messages.Mark   `json:"mark,omitempty"`
	Update *messages.Update `json:"update,omitempty"`
	// Silent reports that a silence mark at the same place is carried out first.
	Silent bool `json:"silent,omitempty"`
}

// note is a request and its place in the journal.
type note struct {
	request
	at int64 // bytes of the journal
}

// notes are the notes of a recording. The list is the same in every run of the journal.
type notes struct {
	list   []note // by place
	passed int    // that the lanes have passed
}

// parseNotes returns the notes by place. Stored notes are not always in that order: a journal that
// lost its end may have notes at later places before those at earlier ones.
func parseNotes(stored []Note) (list []note, err error) {
	for _, s := range stored {
		n := note{at: s.At}
		if err := json.Unmarshal(s.Body, &n.request); err != nil {
			return nil, fmt.Errorf("note at %d: %w", s.At, err)
		}
		list = append(list, n)
	}
	slices.SortStableFunc(list, func(a, b note) int { return int(min(max(a.at-b.at, -1), 1)) })
	return list, nil
}

// add adds a note that the lanes have not passed.
func (n *notes) add(one note) {
	i := len(n.list)
	for i > n.passed && n.list[i-1].at > one.at {
		i--
	}
	n.list = slices.Insert(n.list, i, one)
}

// next returns the next note, nil unless it lies at or before the position.
func (n *notes) next(upTo int64) *note {
	if n.passed == len(n.list) || n.list[n.passed].at > upTo {
		return nil
	}
	return &n.list[n.passed]
}

// marks reports whether the silence at a place is followed by a mark that ends utterances.
func (n *notes) marks(at int64) bool {
	for _, next := range n.list[n.passed:] {
		switch {
		case next.at > at:
			return false
		case next.at == at && next.Mark != nil && !next.Mark.Discard:
			return true
		}
	}
	return false
}

// Mark carries out a client's mark at the end of the audio received so far, and answers it with
// [messages.Marked]. The place is kept in the ledger, so a session that reads the journal again
// carries it out at the same place. Errors are those of Write, and ErrNotes.
func (s *Session) Mark(ctx context.Context, m messages.Mark) error {
	return s.ask(ctx, request{Mark: &m})
}

// Update changes settings for the audio that follows. Like Mark it is kept in the ledger.
func (s *Session) Update(ctx context.Context, u messages.Update) error {
	return s.ask(ctx, request{Update: &u})
}

// ask adds a request to the notes and carries it out.
func (s *Session) ask(ctx context.Context, q request) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.recording
	defer r.guard(&err)
	if err := r.closed(ctx); err != nil {
		return err
	}
	silence := q.Mark != nil && !q.Mark.Discard && r.received != r.silences.last()
	q.Silent = silence || r.received == r.silences.last() && r.received > 0
	body, err := json.Marshal(q)
	if err != nil || len(body) > MaxNote || len(r.notes.list) >= mostNotes {
		return ErrNotes
	}
	if silence {
		if err := r.cfg.Ledger.MarkSilence(r.life, r.received); err != nil {
			return r.ledgerFailed(fmt.Errorf("mark silence: %w", err))
		}
	}
	if err := r.cfg.Ledger.AddNote(r.life, Note{At: r.received, Body: body}); err != nil {
		return r.ledgerFailed(fmt.Errorf("keep note: %w", err))
	}
	if silence {
		r.silences.add(r.received)
	}
	r.notes.add(note{q, r.received})
	return r.take(nil)
}

// carryOut carries out a note on every lane that did not do so before a restart.
func (r *recording) carryOut(n *note) error {
	r.notes.passed++
	var f *fence
	if n.Mark != nil {
		f = &fence{done: func() {
			r.emit(messages.Key{Kind: messages.KindMarked, Subject: n.Mark.ID},
				messages.Marked{Mark: *n.Mark, Time: r.seconds(n.at)})
		}}
		f.left.Store(int64(max(len(r.lanes), 1)))
		if len(r.lanes) == 0 {
			f.pass()
		}
	}
	for _, l := range r.lanes {
		if l.noted >= r.notes.passed {
			f.pass()
			continue
		}
		if err := l.carryOut(n, f); err != nil {
			return err
		}
	}
	return nil
}

// fence calls done once every lane has the finals of its utterances before a mark.
type fence struct {
	left atomic.Int64 // lanes that have not passed
	done func()       // called by the last lane
}

// pass records that a lane has passed. A nil fence does nothing.
func (f *fence) pass() {
	if f != nil && f.left.Add(-1) == 0 {
		f.done()
	}
}

// carryOut carries out a note on the lane.
func (l *lane) carryOut(n *note, f *fence) error {
	if err := l.resume(); err != nil {
		return err
	}
	l.wishes.note(n, l.endpointer)
	if n.Mark == nil {
		return nil
	}
	if n.Mark.Discard {
		l.by = messages.EndedByDiscard
		err := l.apply(l.endpointer.Discard())
		if l.by = 0; err != nil {
			return err
		}
	}
	return l.run.collectors.queue(l, &utterance{fence: f})
}

// drop cancels the stream of an utterance that is to have no final. It is called by the writer
// before the utterance ends.
func drop(u *utterance) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.feeder.broken = true
	u.feeder.abandon()
}

// wishes are the settings of a lane that notes change. They are the writer's.
type wishes struct {
	noted      int        // notes carried out so far
	ends       vad.Config // how utterances end
	early      int64      // silence, in samples, that is reported as an early end; 0: none is
	hinted     bool       // it was, in the running utterance
	vocabulary vocabulary // of future utterances
	rewrite    rewriting  // of future utterances
	addons     *addon.Live
}

// rewriting is what add-ons make of an utterance's words.
type rewriting func(messages.Utterance) messages.Utterance

func newWishes(c *Config) wishes {
	r := c.Request
	return wishes{
		vocabulary: newVocabulary(r.RealtimeProcessing), rewrite: c.Addons.Rewrite, addons: c.Addons,
		ends: vad.Config{
			Threshold:   r.PreProcessing.SpeechThreshold,
			Endpointing: inSamples(r.Endpointing),
			MaxDuration: inSamples(r.MaxUtterance),
		},
	}
}

// note applies the settings of the next note.
func (w *wishes) note(n *note, e *vad.Endpointer) {
	w.noted++
	u := n.Update
	if u == nil {
		return
	}
	if u.Endpointing != nil {
		w.ends.Endpointing = inSamples(*u.Endpointing)
	}
	if u.Threshold != nil {
		w.ends.Threshold = *u.Threshold
	}
	if u.Early != nil {
		w.early = inSamples(*u.Early)
	}
	if u.Vocabulary != nil {
		w.vocabulary = newVocabulary(messages.RealtimeProcessing{
			CustomVocabulary:       true,
			CustomVocabularyConfig: &messages.CustomVocabularyConfig{Vocabulary: *u.Vocabulary},
		})
		w.rewrite = w.addons.Rewriting(*u.Vocabulary)
	}
	e.Configure(w.ends)
}

// catchUp applies the settings of notes that the lane carried out in another process, or that need
// no other action.
func (w *wishes) catchUp(all []note, e *vad.Endpointer) {
	for i := range all {
		w.note(&all[i], e)
	}
}

// watch reports silence that may be the end of the running utterance, and speech that follows it.
func (w *wishes) watch(l *lane) {
	if w.early <= 0 || l.running == nil {
		return
	}
	switch silence := l.endpointer.Silence(); {
	case !w.hinted && silence >= w.early:
		w.hinted = true
		l.turns.report(l.running, messages.SpeechEarly, l.fed)
	case w.hinted && silence == 0:
		w.hinted = false
		l.turns.report(l.running, messages.SpeechResumed, l.buffer.End())
	}
}

// appendTo appends the beginning of a checkpoint.
func (w *wishes) appendTo(b []byte) []byte {
	if w.noted == 0 {
		return append(b, checkpointVersion)
	}
	return binary.LittleEndian.AppendUint64(append(b, notedVersion), uint64(w.noted))
}

// restore applies the settings of a checkpoint and returns the rest of the checkpoint. all are the
// notes of the recording.
func (w *wishes) restore(b []byte, all []note, e *vad.Endpointer) ([]byte, error) {
	switch {
	case len(b) > 0 && b[0] == checkpointVersion:
		return b[1:], nil
	case len(b) > 8 && b[0] == notedVersion:
		had := binary.LittleEndian.Uint64(b[1:])
		if had > uint64(len(all)) { // a power cut has lost the others
			return nil, errCheckpoint
		}
		w.catchUp(all[:had], e)
		return b[9:], nil
	}
	return nil, errCheckpoint
}
