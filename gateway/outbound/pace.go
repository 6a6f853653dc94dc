package outbound

import "time"

// rateWindow is how long a server may be slower than the least rate.
const rateWindow = 30 * time.Second

// pace compares the rate of a server with the least, in windows. It is not safe for concurrent use.
type pace struct {
	least  int64 // bytes a second; 0: any
	waited time.Duration
	got    int64
}

// slow counts bytes and the time that they were waited for. It reports whether a window has ended
// with too few.
func (p *pace) slow(n int, waited time.Duration) bool {
	p.got += int64(n)
	if p.waited += waited; p.waited < rateWindow {
		return false
	}
	slow := float64(p.got) < float64(p.least)*p.waited.Seconds()
	p.waited, p.got = 0, 0
	return slow
}
