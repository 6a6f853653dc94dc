package session

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"steno/audio"
	"steno/messages"
	"steno/session/addon"
)

// restore sets the lanes to their checkpoints and reads from the log what was emitted after them. A
// lane without a usable checkpoint starts at the beginning; the log recognizes the events that it
// repeats by their keys. restore returns the add-ons' steps whose messages are not in the log.
func (r *recording) restore(ctx context.Context) ([]addon.Step, error) {
	r.received = r.cfg.Ledger.AudioSize()
	r.acked = r.received
	var err error
	if r.silences.marks, err = r.cfg.Ledger.Silences(ctx); err != nil {
		return nil, fmt.Errorf("read silences: %w", err)
	}
	stored, err := r.cfg.Ledger.Notes(ctx)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	if r.notes.list, err = parseNotes(stored); err != nil {
		return nil, err
	}
	if err := r.restoreLanes(ctx); err != nil {
		return nil, err
	}
	pending := newPendingSteps(r.cfg.Addons)
	err = eachEvent(ctx, r.cfg.Ledger, 0, func(e messages.Event) error {
		pending.add(e)
		return r.learn(e)
	})
	if err != nil {
		return nil, err
	}
	return pending.steps()
}

func (r *recording) restoreLanes(ctx context.Context) error {
	checkpoints, err := r.cfg.Ledger.Checkpoints(ctx)
	if err != nil {
		return fmt.Errorf("read checkpoints: %w", err)
	}
	if len(checkpoints) == 0 {
		return nil
	}
	if err := r.readFormat(ctx); err != nil {
		return err
	}
	stopped, err := r.cfg.Ledger.Stopped(ctx)
	if err != nil {
		return fmt.Errorf("read stop: %w", err)
	}
	for i, l := range r.lanes {
		state, ok := checkpoints[i]
		if !ok {
			continue
		}
		cut, err := l.restoreState(state, r.notes.list)
		if err == nil && (l.ticks > r.mostTicks(l, stopped) || l.silentTicks >
			int64(len(r.silences.marks))*silenceTicks) {
			err = errCheckpoint // a power cut has lost the end of the journal
		}
		if errors.Is(err, errCheckpoint) {
			if r.lanes[i], err = newLane(r, i); err != nil {
				return err
			}
			continue
		}
		l.restored, l.resumeAt = true, cut
	}
	return nil
}

// longestHeader is the greatest length of a header at the beginning of the journal.
const longestHeader = 64 << 10

// readHead reads the beginning of the journal.
func (r *recording) readHead(ctx context.Context) ([]byte, error) {
	head := make([]byte, min(r.received, longestHeader))
	if _, err := r.cfg.Ledger.ReadAudioAt(ctx, head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read journal's head: %w", err)
	}
	return head, nil
}

// readFormat reads the format from the journal and makes the lanes, if the request declares no
// format.
func (r *recording) readFormat(ctx context.Context) error {
	if len(r.lanes) > 0 {
		return nil
	}
	head, err := r.readHead(ctx)
	if err != nil {
		return err
	}
	var u audio.Unwrapper
	_ = u.Feed(head, func([]byte) error { return nil }) // it is fed again, and then its fault counts
	f, ok := u.Format()
	if !ok {
		return nil
	}
	r.intake.format = f
	return r.setFormat(f)
}

// mostTicks returns the greatest number of ticks a lane may have had: the whole ones of the
// recording and, once it is stopped, those of the flush.
func (r *recording) mostTicks(l *lane, stopped bool) int64 {
	whole := max(r.received-l.skipped, 0) / int64(r.format.TickBytes())
	if stopped {
		return whole + 1 + l.lag()
	}
	return whole
}

// learn records from a logged event which speech_end or final was emitted, so that no partial
// follows it, and which language was decided.
func (r *recording) learn(e messages.Event) error {
	if e.Kind != messages.KindSpeechEnd && e.Kind != messages.KindFinal {
		return nil
	}
	channel, number, ok := messages.ParseUtteranceID(e.Subject)
	if !ok || channel >= len(r.lanes) {
		return nil
	}
	l := r.lanes[channel]
	l.turns.learn(e.Kind, number)
	if e.Kind == messages.KindSpeechEnd || !l.language.undecided() {
		return nil
	}
	u, err := finalOf(e)
	if err != nil {
		return err
	}
	l.language.decide(u.Language, number)
	return nil
}

// resume emits the opening events and runs the journal from where the lanes stand. After a *Failure
// the session ends on its own.
func (r *recording) resume(ctx context.Context) error {
	r.emit(messages.Key{Kind: messages.KindStartSession}, messages.StartSession{})
	r.emit(messages.Key{Kind: messages.KindStartRecording}, messages.StartRecording{})
	r.tellLosses()
	if err := r.rerun(ctx); err != nil {
		return err
	}
	stopped, err := r.cfg.Ledger.Stopped(ctx)
	if err != nil {
		return fmt.Errorf("read stop: %w", err)
	}
	if stopped && !r.stopped {
		return r.endAudio()
	}
	return nil
}

// rerun runs the journal from the earliest lane's position to its end.
func (r *recording) rerun(ctx context.Context) error {
	offset, err := r.startOffset(ctx)
	if err != nil {
		return err
	}
	r.skipTo(offset)
	if err := r.take(nil); err != nil {
		return err
	}
	buf := make([]byte, min(64<<10, max(r.received-offset, 0)))
	for offset < r.received {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.cfg.Ledger.ReadAudioAt(ctx, buf[:min(int64(len(buf)), r.received-offset)], offset)
		if n == 0 && err != nil {
			return fmt.Errorf("read journal at %d: %w", offset, err)
		}
		offset += int64(n)
		if err := r.take(buf[:n]); err != nil {
			return err
		}
	}
	for _, l := range r.lanes {
		if err := l.resume(); err != nil {
			return err
		}
	}
	return nil
}

// skipTo records that all lanes have had everything before the byte.
func (r *recording) skipTo(offset int64) {
	for at, ok := r.silences.next(offset - 1); ok; at, ok = r.silences.next(offset - 1) {
		r.silences.pass(r.intake.gaps().Audio(at) / int64(r.format.TickBytes()))
	}
	for r.notes.next(offset-1) != nil {
		r.notes.passed++
	}
	r.taken = offset
}

// startOffset returns the byte from which the lanes need the journal. It is 0 if there are headers
// among the audio: finding them again costs little, and lanes skip ticks they have had.
func (r *recording) startOffset(ctx context.Context) (int64, error) {
	if len(r.lanes) == 0 {
		return 0, nil
	}
	first, skipped := r.lanes[0].ticks, r.lanes[0].skipped
	for _, l := range r.lanes {
		first = min(first, l.ticks)
		skipped = max(skipped, l.skipped)
	}
	if first == 0 {
		return 0, nil
	}
	var head []byte
	if skipped > 0 {
		var err error
		if head, err = r.readHead(ctx); err != nil {
			return 0, err
		}
	}
	ticks := min(first, max(r.received-skipped, 0)/int64(r.format.TickBytes()))
	heard := ticks * int64(r.format.TickBytes())
	if !r.intake.resume(head, skipped, heard) {
		return 0, nil
	}
	r.ticks = ticks
	return skipped + heard, nil
}

// A checkpoint is the state of a lane at the end of an utterance: everything that its later ticks
// depend on. It is logged with that utterance's final, so a lane restored from it makes the same
// utterances, with the same numbers, from the audio after it.

// checkpointVersion changes with the layout or the meaning of the numbers below. The states of the
// parts have their own versions. A checkpoint of a lane that has carried out notes has
// notedVersion, and their number.
const (
	checkpointVersion = 5
	notedVersion      = 6
)

// errCheckpoint reports a checkpoint of another version, or a damaged one. The lane then starts at
// the beginning of the journal.
var errCheckpoint = errors.New("unusable checkpoint")

// checkpointNumbers is how many numbers a checkpoint starts with, after its version.
const checkpointNumbers = 9 + len(voicing{})

// statesSize is about how many bytes a checkpoint has beside its samples.
const statesSize = 3 << 10

// appendState appends the lane's checkpoint to b. After a forced cut next is the position at which
// the following utterance starts.
func (l *lane) appendState(b []byte, next *int64) []byte {
	cut := int64(-1)
	if next != nil {
		cut = *next
	}
	from := l.oldest()
	if next != nil {
		from = *next
	}
	held, heard := l.buffer.Slice(from, l.buffer.End()), l.ticks*int64(l.run.format.TickBytes())
	b = slices.Grow(b, statesSize+2*len(held))
	b = l.wishes.appendTo(b)
	for _, v := range [checkpointNumbers]int64{
		l.ticks, l.silentTicks, l.numbers, cut, l.buffer.End() - int64(len(held)), int64(len(held)), l.chain.start,
		l.chain.end,
		l.gaps.Stream(heard) - heard,
		int64(l.voicing[0]), int64(l.voicing[1]), int64(l.voicing[2]), int64(l.voicing[3]),
	} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	b = audio.AppendPCM(b, held)
	b = l.front.AppendState(b)
	b = l.detector.AppendState(b)
	return l.endpointer.AppendState(b)
}

// restoreState sets the lane to a checkpoint. all are the notes of the recording. cut is the
// position at which an utterance continues after a forced cut, or -1. After an error the lane must
// not be used.
func (l *lane) restoreState(b []byte, all []note) (cut int64, err error) {
	if b, err = l.wishes.restore(b, all, l.endpointer); err != nil || len(b) < checkpointNumbers*8 {
		return 0, errCheckpoint
	}
	var v [checkpointNumbers]int64
	for i := range v {
		v[i] = int64(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	n := v[5]
	if v[0] < 0 || v[1] < 0 || v[2] < 0 || v[4] < 0 || n < 0 || n > int64(len(b)/2) || v[6] < 0 || v[7] < v[6] ||
		v[7] > v[4]+n || v[8] < 0 {
		return 0, errCheckpoint
	}
	l.ticks, l.silentTicks, l.numbers, l.chain = v[0], v[1], v[2], chain{v[6], v[7]}
	l.skipped, l.voicing = v[8], voicing{uint64(v[9]), uint64(v[10]), uint64(v[11]), uint64(v[12])}
	l.buffer.Reset(v[4])
	audio.DecodePCM(l.buffer.Extend(int(n)), b)
	b = b[2*n:]
	for _, part := range []func([]byte) ([]byte, error){
		l.front.RestoreState, l.detector.RestoreState, l.endpointer.RestoreState,
	} {
		if b, err = part(b); err != nil {
			return 0, fmt.Errorf("%w: %w", errCheckpoint, err)
		}
	}
	if v[3] < 0 && l.buffer.Start() > l.oldest() {
		return 0, errCheckpoint // of a lane that reads samples from the journal, which this one does not
	}
	if b, err = l.speakers.restoreState(b); err == nil {
		if err = l.run.cfg.Addons.RestoreState(b); err != nil {
			err = fmt.Errorf("%w: %w", errCheckpoint, err)
		}
	}
	return v[3], err
}
