// Package journal keeps what grows with a live session in two files of a folder of its own: its
// audio, and the marks of what its client was sent and has confirmed.
//
// What a call has accepted outlives the process. The last bytes of both files are in a file of all
// sessions that is mapped into memory, their tails, so that few calls write; where that file cannot
// be had, the last bytes of audio wait for Commit.
package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"steno/session/store"
)

// The files of a session, in its folder.
const (
	AudioFile = "audio"
	AcksFile  = "acks"
)

const (
	folderMode = 0o700
	fileMode   = 0o600
)

// Journal is the open files of a session. Its methods may be called from any goroutine, Close when
// no other is running.
type Journal struct {
	tails *Tails
	slot  *slot
	audio *audio
	acks  *acks
}

// Open opens the files of a session in its folder, and makes what is missing of them. The caller
// must call Close.
func (p *Tails) Open(id, folder string) (*Journal, error) {
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	if err := p.Settle(id, folder); err != nil {
		return nil, err
	}
	j := &Journal{tails: p, slot: p.take(id)}
	var err error
	if j.audio, err = openAudio(filepath.Join(folder, AudioFile), &j.slot.audio); err == nil {
		if j.acks, err = openAcks(filepath.Join(folder, AcksFile), &j.slot.acks); err == nil {
			return j, nil
		}
		err = errors.Join(err, j.audio.close())
	}
	p.put(j.slot, true)
	return nil, err
}

// Append adds p to the end of the audio: all of it, or none and an error. The slice is not kept.
func (j *Journal) Append(p []byte) error { return j.audio.append(p) }

// Size returns the length of the audio, in bytes.
func (j *Journal) Size() int64 { return j.audio.size.Load() }

// ReadAt fills p from the audio as io.ReaderAt does.
func (j *Journal) ReadAt(p []byte, off int64) (int, error) { return j.audio.readAt(p, off) }

// Commit makes the audio that was accepted outlive the process.
func (j *Journal) Commit() error { return j.audio.commit() }

// Flush writes all audio to its file. What could not be written waits for the next call.
func (j *Journal) Flush() error { return j.audio.flush() }

// Sent remembers a boundary, in bytes, as one that is about to be acknowledged. Errors:
// store.ErrInvalid (below 0).
func (j *Journal) Sent(boundary int64) error { return j.acks.sent(boundary) }

// Confirm remembers that a client has seen the ack of a boundary, in bytes, and every event up to a
// number; smaller ones than the last change nothing. Errors: store.ErrInvalid (below 0).
func (j *Journal) Confirm(boundary, seq int64) error { return j.acks.confirm(boundary, seq) }

// Marks returns what Sent and Confirm have remembered. The value is the caller's.
func (j *Journal) Marks() store.Marks { return j.acks.snapshot() }

// Close writes the tails to the files and closes these.
func (j *Journal) Close() error {
	err := errors.Join(j.audio.close(), j.acks.close())
	j.tails.put(j.slot, err == nil)
	return err
}

// Measure returns how long the audio in a session's folder is, 0 where there is none, and how much
// of it was acknowledged. Of a session that is open both lack what is in the tails.
func Measure(folder string) (size, acked int64, err error) {
	a, err := readAcks(filepath.Join(folder, AcksFile))
	if err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(filepath.Join(folder, AudioFile))
	switch {
	case err == nil:
		size = info.Size()
	case !errors.Is(err, os.ErrNotExist):
		return 0, 0, err
	}
	return size, a.marks.Last(), nil
}
