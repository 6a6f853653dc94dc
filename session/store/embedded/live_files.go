package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// liveFiles are the files of a session that is claimed, and the slot of their tails.
type liveFiles struct {
	owner string // the account
	tails *tailPool
	slot  *slot
	audio *journal
	acks  *acks
}

// openFiles opens the files of a session, and makes those that there are not.
func (s *sessions) openFiles(id string) (f liveFiles, err error) {
	folder := s.folder(id)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return f, fmt.Errorf("make folder: %w", err)
	}
	if err := s.tails.settle(id, folder); err != nil {
		return f, err
	}
	f = liveFiles{tails: s.tails, slot: s.tails.take(id)}
	if f.audio, err = openJournal(filepath.Join(folder, audioFile), &f.slot.audio); err == nil {
		if f.acks, err = openAcks(filepath.Join(folder, acksFile), &f.slot.acks); err == nil {
			return f, nil
		}
		err = errors.Join(err, f.audio.close())
	}
	s.tails.put(f.slot, true)
	return f, err
}

// close closes the files and releases the slot when the claim ends. It is called with the mu of
// live held exclusively.
func (f *liveFiles) close() error {
	err := errors.Join(f.audio.close(), f.acks.close())
	f.tails.put(f.slot, err == nil)
	return err
}

func (f *liveFiles) AudioSize() int64 { return f.audio.size.Load() }

// Account returns the account of the session.
func (f *liveFiles) Account() string { return f.owner }

// Local implements store.Live.
func (f *liveFiles) Local() bool { return true }
