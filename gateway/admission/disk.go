package admission

import (
	"context"
	"net/http"
	"sync"
	"time"

	"steno/gateway/web"
)

const (
	diskMaxAge  = time.Second     // for which an answer of the store is reused
	diskTimeout = 5 * time.Second // for an answer of the store
)

// FreeSpace is what [Disk] asks of the store.
type FreeSpace interface {
	// Free returns how many bytes the store has room for.
	Free(ctx context.Context) (int64, error)
}

// Disk refuses new work where the store's disk is nearly full. Its methods may be called from any goroutine.
type Disk struct {
	store FreeSpace
	least int64

	mu    sync.Mutex
	asked time.Time
	free  int64
	err   error
}

// NewDisk returns a Disk that refuses work while the store has room for less than least bytes.
func NewDisk(s FreeSpace, least int64) *Disk { return &Disk{store: s, least: least} }

// Free returns how many bytes the store has room for, as of a second ago at most.
func (d *Disk) Free() (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked.IsZero() || time.Since(d.asked) >= diskMaxAge {
		ctx, cancel := context.WithTimeout(context.Background(), diskTimeout)
		d.free, d.err = d.store.Free(ctx)
		cancel()
		d.asked = time.Now()
	}
	return d.free, d.err
}

// Check returns a problem where the disk is nearly full, so that the work under way can end: 507, or 500 if the store does
// not answer.
func (d *Disk) Check() error {
	free, err := d.Free()
	if err != nil {
		return web.Internal(err)
	}
	if free < d.least {
		return web.Problem(http.StatusInsufficientStorage, "no new work is taken: the server's disk is nearly full")
	}
	return nil
}

// Gauge returns the free bytes for metrics, -1 where they are not known.
func (d *Disk) Gauge() float64 {
	free, err := d.Free()
	if err != nil {
		return -1
	}
	return float64(free)
}
