package media

import (
	"errors"
	"fmt"
)

// Reason is why a recording cannot be decoded.
type Reason uint8

// The reasons. The zero value is a fault of the machine or of the program, not of the recording.
const (
	Failed      Reason = iota
	TooLong            // longer than allowed
	Unsupported        // no recording, no audio in it, or an unknown format
	Damaged            // a known format that cannot be decoded within the memory allowed, or with too many channels
	TooSlow            // decoding took more time than allowed
	NoTrack            // there is no such track of audio
)

// Error is why a recording cannot be decoded.
type Error struct {
	Reason  Reason
	Message string // for the client, who gave the recording
	Err     error  // the cause, for the operator; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Message, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

var (
	errSlow   = errors.New("time used up")
	errClosed = errors.New("stream closed")
)

func tooLong(limit float64, err error) error {
	return &Error{TooLong, fmt.Sprintf("The recording is longer than %s.", human(limit)), err}
}

// human writes a number of seconds in hours and minutes.
func human(seconds float64) string {
	s := int(seconds + 0.5)
	switch h, m := s/3600, s/60%60; {
	case h > 0 && m > 0:
		return fmt.Sprintf("%d h %d min", h, m)
	case h > 0:
		return fmt.Sprintf("%d h", h)
	case s >= 60 && s%60 == 0:
		return fmt.Sprintf("%d min", m)
	}
	return fmt.Sprintf("%g s", seconds)
}
