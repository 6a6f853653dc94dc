package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"steno/audio"
)

// A checkpoint is a lane as it was when an utterance had just ended: everything that its later ticks depend on. It is
// logged with that utterance's final, so a lane restored from it makes the same utterances, with the same numbers, from
// the audio after it.

// checkpointVersion changes whenever the layout below does, or what it means. States of the parts carry versions of their own.
const checkpointVersion = 5

// errCheckpoint says that a checkpoint cannot be used: it is of another version, or damaged. The lane then starts at the
// beginning of the journal.
var errCheckpoint = errors.New("unusable checkpoint")

// checkpointNumbers is how many numbers a checkpoint begins with, after its version.
const checkpointNumbers = 9 + len(voicing{})

// statesSize is about how many bytes a checkpoint has beside its samples.
const statesSize = 3 << 10

// appendState appends the lane's checkpoint to b. Where speech went on over a forced cut, next is the position at
// which the following utterance begins.
func (l *lane) appendState(b []byte, next *int64) []byte {
	cut := int64(-1)
	if next != nil {
		cut = *next
	}
	from := l.oldest()
	if next != nil {
		from = *next
	}
	held, heard := l.buffer.slice(from, l.buffer.end()), l.ticks*int64(l.run.format.TickBytes())
	b = slices.Grow(b, statesSize+2*len(held))
	b = append(b, checkpointVersion)
	for _, v := range [checkpointNumbers]int64{
		l.ticks, l.silentTicks, l.numbers, cut, l.buffer.end() - int64(len(held)), int64(len(held)), l.chain.start, l.chain.end,
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

// restoreState sets the lane to a checkpoint. It returns the position at which an utterance goes on, or -1. After an
// error the lane must not be used.
func (l *lane) restoreState(b []byte) (cut int64, err error) {
	if len(b) < 1+checkpointNumbers*8 || b[0] != checkpointVersion {
		return 0, errCheckpoint
	}
	b = b[1:]
	var v [checkpointNumbers]int64
	for i := range v {
		v[i] = int64(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	n := v[5]
	if v[0] < 0 || v[1] < 0 || v[2] < 0 || v[4] < 0 || n < 0 || n > int64(len(b)/2) || v[6] < 0 || v[7] < v[6] || v[7] > v[4]+n || v[8] < 0 {
		return 0, errCheckpoint
	}
	l.ticks, l.silentTicks, l.numbers, l.buffer.base, l.chain = v[0], v[1], v[2], v[4], chain{v[6], v[7]}
	l.skipped, l.voicing = v[8], voicing{uint64(v[9]), uint64(v[10]), uint64(v[11]), uint64(v[12])}
	l.buffer.samples = l.buffer.samples[:0]
	audio.DecodePCM(l.buffer.extend(int(n)), b)
	b = b[2*n:]
	for _, part := range []func([]byte) ([]byte, error){
		l.front.RestoreState, l.detector.RestoreState, l.endpointer.RestoreState,
	} {
		if b, err = part(b); err != nil {
			return 0, fmt.Errorf("%w: %w", errCheckpoint, err)
		}
	}
	if v[3] < 0 && l.buffer.base > l.oldest() {
		return 0, errCheckpoint // of a lane that makes samples anew, which this one does not
	}
	return v[3], l.speakers.restoreState(b)
}
