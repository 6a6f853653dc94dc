package outbound

import "time"

// rateWindow is how long a server may be slower than it must be.
const rateWindow = 30 * time.Second

// pace holds a server to a least rate, window by window.
type pace struct {
	least  int64 // bytes a second; 0: any
	waited time.Duration
	got    int64
}

// slow counts bytes that were waited for, and tells whether a window has ended in which there were too few.
func (p *pace) slow(n int, waited time.Duration) bool {
	p.got += int64(n)
	if p.waited += waited; p.waited < rateWindow {
		return false
	}
	slow := float64(p.got) < float64(p.least)*p.waited.Seconds()
	p.waited, p.got = 0, 0
	return slow
}
