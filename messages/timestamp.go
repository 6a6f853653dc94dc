package messages

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

const timestampLayout = "2006-01-02T15:04:05.000Z"

// Timestamp is a moment as records show it: ISO 8601 in UTC with milliseconds and Z.
type Timestamp struct{ time.Time }

// Stamp is t, in UTC and cut to the millisecond, so that it survives being written and read.
func Stamp(t time.Time) Timestamp { return Timestamp{t.UTC().Truncate(time.Millisecond)} }

// OptionalStamp returns a time that may be missing: nil for the zero time.
func OptionalStamp(t time.Time) *Timestamp {
	if t.IsZero() {
		return nil
	}
	s := Stamp(t)
	return &s
}

// String is the form on the wire.
func (t Timestamp) String() string { return t.UTC().Format(timestampLayout) }

// MarshalJSON writes the form on the wire.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return t.appendJSON(make([]byte, 0, len(timestampLayout)+2)), nil
}

// MarshalText writes the form on the wire.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalJSON reads any RFC 3339 time.
func (t *Timestamp) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var parsed time.Time
	if err := parsed.UnmarshalJSON(b); err != nil {
		return fmt.Errorf("timestamp: %w", err)
	}
	*t = Stamp(parsed)
	return nil
}

func (t Timestamp) appendJSON(b []byte) []byte {
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, timestampLayout)
	return append(b, '"')
}

// sampleRate is that of all audio inside, in Hz.
const sampleRate = 16000

// Seconds is the time of a sample position at 16 kHz, rounded to a millisecond.
func Seconds(samples int64) float64 {
	return math.Round(float64(samples)*1000/sampleRate) / 1000
}

// UtteranceID names the n-th utterance of a channel, both from 0: CC_NNNNNNNN.
func UtteranceID(channel int, n int64) string {
	return pad(int64(channel), 2) + "_" + pad(n, 8)
}

// ParseUtteranceID takes an id of [UtteranceID] apart.
func ParseUtteranceID(id string) (channel int, n int64, ok bool) {
	c, rest, _ := strings.Cut(id, "_")
	channel, err := strconv.Atoi(c)
	n, err2 := strconv.ParseInt(rest, 10, 64)
	return channel, n, err == nil && err2 == nil
}

// pad writes n with at least width digits.
func pad(n int64, width int) string {
	s := strconv.FormatInt(n, 10)
	for len(s) < width {
		s = "0" + s
	}
	return s
}

// RequestID is the debug id of a job: G- and the first eight hexadecimal digits of its id.
func RequestID(id string) string {
	return "G-" + id[:min(8, len(id))]
}
