package descriptors

import (
	"testing"

	"steno/gateway/limits"
)

// However many descriptors there are, some are left for the store and the engines when clients hold
// all they may.
func TestDescriptorsAreReserved(t *testing.T) {
	for _, given := range []limits.Limits{
		{Sessions: 1000}, {}, {Sessions: 10}, {Sessions: 1000, Connections: 500},
		{Connections: 1_000_000, Sessions: 1_000_000},
		{Sessions: 5, Connections: 20, PerAddress: 7},
	} {
		for _, n := range []int{16, 64, 256, 1024, 4096, 20_000, 1 << 20, 1<<31 - 1} {
			l := Within(given, n)
			held := l.Connections + 2*l.Sessions
			if rest := n - held; rest < min(reservedDescriptors, n/2)-2 {
				t.Errorf("%d descriptors, %+v: %d connections and %d sessions leave %d", n, given, l.Connections,
					l.Sessions, rest)
			}
			if l.Connections < 1 || l.Sessions < 1 || l.PerAddress < 1 {
				t.Errorf("%d descriptors, %+v: %+v", n, given, l)
			}
			if n >= 64 && l.Sessions < min(given.Sessions, n/12) {
				t.Errorf("%d descriptors, %+v: only %d sessions", n, given, l.Sessions)
			}
			if given.Connections > 0 && l.Connections > given.Connections || given.Sessions > 0 && l.Sessions >
				given.Sessions {
				t.Errorf("%d descriptors: %+v became more than was configured: %+v", n, given, l)
			}
		}
	}
	usual := Within(limits.Limits{Sessions: 1000}, 20_000)
	if usual.Sessions != 1000 || usual.Connections < 5000 || usual.PerAddress != (usual.Connections+1)/2 {
		t.Errorf("usual: %+v", usual)
	}
}
