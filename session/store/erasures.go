package store

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErasuresKept is for how long a store remembers what was erased from it. What an older backup has
// comes back with it.
const ErasuresKept = 400 * 24 * time.Hour

// ErasureKeySize and markSize are how many bytes the key and the marks of erasures have.
const ErasureKeySize, markSize = 32, 16

// ErasureMark stands for the id of what was erased, of which it reveals nothing without the key.
func ErasureMark(key []byte, id string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id))
	return h.Sum(nil)[:markSize]
}

// KeysOf is the id under which the data keys of an account are erased; no record has it.
func KeysOf(account string) string { return "keys of " + account }

// Erasure is one thing that was erased from a store.
type Erasure struct {
	Mark []byte `json:"mark"`
	// Parts are those of a record that were erased; 0: the record itself.
	Parts Parts `json:"parts,omitempty"`
	At    int64 `json:"at"` // milliseconds since 1970
}

// ErasureList is what was erased from a store.
type ErasureList struct {
	Key    []byte    `json:"key"` // of the marks
	Erased []Erasure `json:"erased"`

	byMark map[[markSize]byte][]Erasure
}

// Find returns the parts that were erased of what was made at a time and has an id, and whether it
// was erased as a whole.
func (l *ErasureList) Find(id string, made time.Time) (parts Parts, whole bool) {
	if l.byMark == nil {
		l.byMark = make(map[[markSize]byte][]Erasure, len(l.Erased))
		for _, e := range l.Erased {
			if len(e.Mark) == markSize {
				m := [markSize]byte(e.Mark)
				l.byMark[m] = append(l.byMark[m], e)
			}
		}
	}
	for _, e := range l.byMark[[markSize]byte(ErasureMark(l.Key, id))] {
		if e.At >= made.UnixMilli() {
			parts, whole = parts|e.Parts, whole || e.Parts == 0
		}
	}
	return parts, whole
}

// Erasures are lists of one or several stores, such as a store had before and after it lost
// everything.
type Erasures []*ErasureList

// Find returns what any of the lists has erased.
func (l Erasures) Find(id string, made time.Time) (parts Parts, whole bool) {
	for _, one := range l {
		p, w := one.Find(id, made)
		parts, whole = parts|p, whole || w
	}
	return parts, whole
}

// Erasable is a store from which things are erased again.
type Erasable interface {
	DataKeys
	Strip(ctx context.Context, account, id string, parts Parts) error
	Cancel(ctx context.Context, account, id string) error
}

// Made names a record, and when it was made.
type Made struct {
	RecordID
	At time.Time
}

// EraseAgain erases of the records of a store, and of its data keys, what lists state to be erased.
// It returns how many records and accounts that concerned. A record that is not finished goes as a
// whole.
func EraseAgain(ctx context.Context, s Erasable, all []Made, lists Erasures) (n int, err error) {
	for _, r := range all {
		parts, whole := lists.Find(r.ID, r.At)
		if parts == 0 && !whole {
			continue
		}
		if !whole {
			err = s.Strip(ctx, r.Account, r.ID, parts)
		}
		if whole || errors.Is(err, ErrNotFinished) {
			err = s.Cancel(ctx, r.Account, r.ID)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return n, fmt.Errorf("erase again: %w", err)
		}
		n++
	}
	forgotten, err := eraseKeys(ctx, s, lists)
	return n + forgotten, err
}

// eraseKeys forgets the data keys of accounts that were forgotten after they were made.
func eraseKeys(ctx context.Context, s Erasable, lists Erasures) (n int, err error) {
	keys, err := s.DataKeys(ctx, "")
	done := map[string]bool{}
	for _, k := range keys {
		if done[k.Account] || len(k.Wrapped) == 0 {
			continue
		}
		after := k.CreatedAt.Add(time.Millisecond) // the next key may be made immediately
		if _, whole := lists.Find(KeysOf(k.Account), after); whole && err == nil {
			done[k.Account] = true
			err = s.ForgetDataKeys(ctx, k.Account)
			n++
		}
	}
	return n, err
}

// With adds lists. Those of one key become one.
func (l Erasures) With(lists ...*ErasureList) Erasures {
	for _, more := range lists {
		i := slices.IndexFunc(l, func(one *ErasureList) bool { return bytes.Equal(one.Key, more.Key) })
		if i < 0 {
			l = append(l, more)
			continue
		}
		known := map[string]bool{}
		for _, e := range l[i].Erased {
			known[e.text()] = true
		}
		for _, e := range more.Erased {
			if !known[e.text()] {
				l[i].Erased = append(l[i].Erased, e)
			}
		}
		l[i].byMark = nil
	}
	return l
}

// text tells erasures apart.
func (e *Erasure) text() string { return fmt.Sprintf("%x %d %d", e.Mark, e.Parts, e.At) }
