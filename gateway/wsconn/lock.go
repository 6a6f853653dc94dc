package wsconn

// lock is a mutex whose holder may wait for the network, for as long as a client likes. Those who
// wait for it are idle, also where time is not the system's (testing/synctest).
type lock chan struct{}

func (l lock) Lock()   { l <- struct{}{} }
func (l lock) Unlock() { <-l }

// TryLock reports whether it has locked l, without waiting.
func (l lock) TryLock() bool {
	select {
	case l <- struct{}{}:
		return true
	default:
		return false
	}
}
