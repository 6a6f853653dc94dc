package callbacks

import (
	"hash/fnv"
	"strconv"
	"time"

	"steno/session/retry"
)

// backoff is the pause after the n-th failed attempt, from 1: it doubles from first up to longest,
// and is shortened by up to a half, by a fraction that depends on delivery and attempt only. So
// many deliveries that failed together are not retried together, and a schedule can be foretold.
func backoff(first, longest time.Duration, id string, n int) time.Duration {
	full := float64(retry.Exponential(first, longest, n))
	return time.Duration(full * (1 - fraction(id, n)/2))
}

// fraction is in [0, 1).
func fraction(id string, n int) float64 {
	h := fnv.New64a()
	_, _ = h.Write(strconv.AppendInt([]byte(id+"/"), int64(n), 10)) // never fails
	x := h.Sum64()
	x ^= x >> 32 // the last bytes reach the high bits of FNV late
	x *= 0x9E3779B97F4A7C15
	return float64(x>>11) / (1 << 53)
}
