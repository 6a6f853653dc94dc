package store

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Parts is a set of what a finished record holds beside its state.
type Parts uint8

// The parts.
const (
	PartAudio       Parts = 1 << iota // the recording: the journal, or the upload
	PartTranscripts                   // the result, and the bodies of callbacks that are settled
	PartMessages                      // the event log, with checkpoints, marks and notes
)

// AllParts is every part.
const AllParts = PartAudio | PartTranscripts | PartMessages

var partNames = []string{"audio", "transcripts", "messages"}

// Has tells whether the set holds all of the parts given.
func (p Parts) Has(all Parts) bool { return p&all == all }

// String returns the names with commas between.
func (p Parts) String() string {
	var names []string
	for i, name := range partNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// CheckParts refuses a set that Strip cannot erase. Errors: ErrInvalid.
func CheckParts(p Parts) error {
	if p == 0 || p&^AllParts != 0 {
		return fmt.Errorf("parts: %w", ErrInvalid)
	}
	return nil
}

// Expired asks for finished records of which something is to be removed.
type Expired struct {
	// From and Before bound when the records ended: from a time on, and before one.
	From, Before time.Time
	// Parts are those of which the records still have at least one; 0: it does not matter.
	Parts Parts
	// Account is that of the records; where it is empty, those of all accounts but Except.
	Account string
	Except  []string
	// Transient asks for records that still have a part of their Transient ones; From, Parts,
	// Account and Except do not matter.
	Transient bool
}

// Wants tells whether the records of an account with parts erased are asked for.
func (q *Expired) Wants(account string, stripped Parts) bool {
	if q.Parts != 0 && stripped.Has(q.Parts) {
		return false
	}
	if q.Account != "" {
		return account == q.Account
	}
	return !slices.Contains(q.Except, account)
}
