package valkey

import (
	"strconv"
	"time"
)

// fieldList is names and values in turn.
type fieldList []string

func (f *fieldList) text(name, value string) {
	if value != "" {
		*f = append(*f, name, value)
	}
}

// millis is a time as scripts have it.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// raw is a value of a hash; nil where there is none.
func raw(value string) []byte {
	if value == "" {
		return nil
	}
	return []byte(value)
}

// fieldNumbers reads whole numbers from a hash, and keeps the first error.
type fieldNumbers struct {
	fields map[string]string
	err    error
}

// integer returns a number; 0 where it is missing.
func (f *fieldNumbers) integer(name string) int64 {
	text := f.fields[name]
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n
}

// ms is a duration as scripts have it.
func ms(d time.Duration) string { return decimal(d.Milliseconds()) }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// flag is what scripts take for true and false.
func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

func parseInteger(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// integers reads numbers.
func integers(texts []string) ([]int64, error) {
	n := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if n[i], err = parseInteger(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}
