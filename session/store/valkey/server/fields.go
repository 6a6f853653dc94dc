package server

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// FieldList is names and values in turn.
type FieldList []string

func (f *FieldList) Add(name, value string) {
	if value != "" {
		*f = append(*f, name, value)
	}
}

// Millis is a time as scripts have it.
func Millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// Raw is a value of a hash; nil where there is none.
func Raw(value string) []byte {
	if value == "" {
		return nil
	}
	return []byte(value)
}

// Numbers reads whole numbers from a hash, and keeps the first error.
type Numbers struct {
	Fields map[string]string
	Err    error
}

// Integer returns a number; 0 where it is missing.
func (f *Numbers) Integer(name string) int64 {
	text := f.Fields[name]
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && f.Err == nil {
		f.Err = err
	}
	return n
}

// Seconds returns a length of audio; nil where it is missing.
func (f *Numbers) Seconds(name string) *float64 {
	text := f.Fields[name]
	if text == "" {
		return nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err == nil && !(seconds >= 0 && seconds <= math.MaxFloat64) {
		err = fmt.Errorf("%s: %g seconds", name, seconds)
	}
	if err != nil && f.Err == nil {
		f.Err = err
	}
	return &seconds
}

// Milliseconds is a duration as scripts have it.
func Milliseconds(d time.Duration) string { return Decimal(d.Milliseconds()) }

func Decimal(n int64) string { return strconv.FormatInt(n, 10) }

// Flag is what scripts take for true and false.
func Flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

func ParseInteger(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// Integers reads numbers.
func Integers(texts []string) ([]int64, error) {
	n := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if n[i], err = ParseInteger(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}
