package records

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steno/audio"
)

// layoutBytes bounds what is kept of where the audio of recordings is.
const layoutBytes = 64 << 20

// layout is where the audio is in the journal of a session, as far as the journal was read. It is
// found once, and of a session that runs only in what is new.
type layout struct {
	unwrapper audio.Unwrapper
	read      int64 // bytes of the journal
	fault     error // ends the search: what follows is served as it is
}

// find reads what is new of the journal and tells the recording where its audio is. It returns how
// many bytes the layout takes.
func (l *layout) find(ctx context.Context, r *Recording) (int64, error) {
	if l.read == 0 {
		l.unwrapper.Declared = r.format
	}
	if err := l.search(ctx, r.journal, r.journal.Size()); err != nil {
		return 0, err
	}
	if f, ok := l.unwrapper.Format(); ok {
		r.format = f
	} else {
		r.format = audio.Format{BitDepth: 16, SampleRate: audio.Rate, Channels: 1} // of a recording without audio
	}
	r.gaps = l.unwrapper.Gaps.Clone()
	r.size = r.gaps.Audio(r.journal.Size())
	return r.gaps.Size(), nil
}

// search reads the journal from where it was read before.
func (l *layout) search(ctx context.Context, journal io.ReadSeeker, size int64) error {
	if l.fault != nil || l.read >= size {
		return nil
	}
	if _, err := journal.Seek(l.read, io.SeekStart); err != nil {
		return fmt.Errorf("seek in journal: %w", err)
	}
	buf := make([]byte, min(256<<10, size-l.read))
	for ctx.Err() == nil && l.read < size {
		n, err := journal.Read(buf[:min(int64(len(buf)), size-l.read)])
		l.read += int64(n)
		if l.fault = l.unwrapper.Feed(buf[:n], func([]byte) error { return nil }); l.fault != nil {
			return nil // the session ended there
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read journal: %w", err)
		}
		if n == 0 {
			break
		}
	}
	return ctx.Err()
}
