package dialect

import "errors"

// ErrTooLong reports a message of text that is larger than allowed.
var ErrTooLong = errors.New("message is larger than allowed")

// Whole returns a stream that holds a message of at most limit bytes and calls read with it once it
// is complete: for dialects whose audio does not come in long messages.
func Whole(limit int, read func(text []byte)) Stream { return &whole{limit: limit, read: read} }

type whole struct {
	limit int
	text  []byte
	read  func([]byte)
}

// Write implements Stream.
func (w *whole) Write(p []byte) error {
	if len(w.text)+len(p) > w.limit {
		return ErrTooLong
	}
	w.text = append(w.text, p...)
	return nil
}

// Streamed implements Stream.
func (w *whole) Streamed() bool { return false }

// End implements Stream.
func (w *whole) End() { w.read(w.text) }
