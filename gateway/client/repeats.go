package client

import (
	"fmt"
	"io"
	"slices"
)

// repeatsWithin is how many bytes at the end of a journal are checked for repetition.
const repeatsWithin = 64 << 10

// repeats finds out whether the audio at the end of a journal repeats itself.
type repeats struct {
	journal io.ReaderAt
	size    int64   // of the journal
	periods []int32 // by the number of bytes at the end: their smallest period; nil before the journal is read
}

// at reports whether the audio at the end of the journal may continue with what it was distance
// bytes before: because it already does so there, or because those bytes repeat something shorter.
// Its errors are those of reading the journal.
func (r *repeats) at(distance int64) (bool, error) {
	if r.periods == nil {
		tail := make([]byte, min(r.size, repeatsWithin))
		if n, err := r.journal.ReadAt(tail, r.size-int64(len(tail))); n < len(tail) {
			return false, fmt.Errorf("read journal's end: %w", err)
		}
		slices.Reverse(tail)
		r.periods = periodsOf(tail)
	}
	longest := int64(len(r.periods) - 1)
	for _, n := range []int64{min(distance, longest), min(2*distance, longest)} {
		if period := int64(r.periods[n]); period > 0 && period <= n/2 && distance%period == 0 {
			return true, nil
		}
	}
	return false, nil
}

// periodsOf returns the smallest period of each prefix of b, by its length: Knuth, Morris and
// Pratt's failure function.
func periodsOf(b []byte) []int32 {
	border := make([]int32, len(b)+1) // the length of the longest proper prefix that is also a suffix
	k := int32(0)
	for i := 1; i < len(b); i++ {
		for k > 0 && b[i] != b[k] {
			k = border[k]
		}
		if b[i] == b[k] {
			k++
		}
		border[i+1] = k
	}
	for n := range border {
		border[n] = int32(n) - border[n]
	}
	return border
}
