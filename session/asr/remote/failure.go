package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"steno/session/asr"
)

// Failure is an ErrUnavailable with what follows from it. Its text holds nothing that the server
// sent, which might contain the key or words of the audio.
type Failure struct {
	Text  string
	Cause error         // may be nil
	Again bool          // another attempt may help
	Own   bool          // it may be the utterance's own fault: then it wraps ErrTried
	Asked time.Duration // how long the server asked not to be called
}

func (f *Failure) Error() string {
	if f.Cause != nil {
		return fmt.Sprintf("%v: %s: %v", asr.ErrUnavailable, f.Text, f.Cause)
	}
	return fmt.Sprintf("%v: %s", asr.ErrUnavailable, f.Text)
}

// Unwrap returns the error of package asr that it stands for.
func (f *Failure) Unwrap() error {
	if f.Own {
		return asr.ErrTried
	}
	return asr.ErrUnavailable
}

// Plain returns an error of net/http without the request's address.
func Plain(err error) error {
	if with, ok := errors.AsType[*url.Error](err); ok {
		return with.Err
	}
	return err
}

// RetryAfter reads how long a server asks not to be called, in seconds or as a date. It returns 0
// for a header that makes no sense.
func RetryAfter(header string) time.Duration {
	const most = 24 * 60 * 60
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, most) * float64(time.Second))
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(date), 0), most*time.Second)
	}
	return 0
}
