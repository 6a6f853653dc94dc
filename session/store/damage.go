package store

import "errors"

var (
	// ErrDamaged means that stored data differs from what was written: its checksum does not match.
	ErrDamaged = errors.New("stored data is damaged")

	// ErrMissing means that a recording or file was stored, and is not there any more.
	ErrMissing = errors.New("stored audio is missing")
)

// Damage is something that a store has found not to be as it was written.
type Damage struct {
	// Session is the id of the session, job or upload that it befell; empty for the store as a
	// whole.
	Session string `json:"id,omitempty"`
	// What describes what is damaged, for operators.
	What string `json:"what"`
	// Fatal means that nothing new may be written until the store has been repaired.
	Fatal bool `json:"fatal,omitempty"`
}

// Inspected is a store that checks its own data for damage. Stores on a server do not implement it:
// the server checks what it keeps.
type Inspected interface {
	// Damages lists what was found since the store was opened, in the order in which it was found.
	// It is cheap.
	Damages() []Damage
}
