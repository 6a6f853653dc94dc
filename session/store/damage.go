package store

import "errors"

var (
	// ErrDamaged says that what is kept is not what was written: its checksum does not fit.
	ErrDamaged = errors.New("stored data is damaged")

	// ErrMissing says that a recording or file was kept, and is not there any more.
	ErrMissing = errors.New("stored audio is missing")
)

// Damage is something that a store has found not to be as it was written.
type Damage struct {
	// Session is the id of the session, job or upload that it befell; empty for the store as a
	// whole.
	Session string `json:"id,omitempty"`
	// What says what is damaged, for operators.
	What string `json:"what"`
	// Fatal says that nothing new may be written before the store was repaired.
	Fatal bool `json:"fatal,omitempty"`
}

// Inspected is a store that finds damage by itself. Stores on a server have none: the server checks
// what it keeps.
type Inspected interface {
	// Damages lists what was found since the store was opened, in the order in which it was found.
	// It is cheap.
	Damages() []Damage
}
