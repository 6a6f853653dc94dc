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

	// heldMaxAge is for which the store's answer about what keys hold is reused, at least; and so
	// many times as long as the answer took:
	heldMaxAge = 2 * time.Second
	heldIdle   = 20
	heldTime   = 5 * time.Second // for that answer

	leastWork = 256 << 10 // bytes of audio that new work is expected to bring at least
)

// Space is what [Disk] asks of the store.
type Space interface {
	// Free returns how many bytes the store has room for.
	Free(ctx context.Context) (int64, error)
	// Held returns how many bytes of that space each API key holds, by its hash.
	Held(ctx context.Context) (map[string]int64, error)
}

// Quotas bound the bytes of accounts.
type Quotas interface {
	// CheckStorage returns a problem for an account that would have more bytes than it may with so
	// many more.
	CheckStorage(ctx context.Context, account string, more int64) error
	// Stored notes that an account has other bytes than before.
	Stored(account string)
}

// Disk divides the room of the store. The last of it, the reserve, is for deletions and for the
// sessions and jobs under way: new work is refused there, and uploads that are being received end.
// Above that, one key holds no more than its share of what it has and what is free together, so
// that there is always something left for others. Its methods may be called from any goroutine.
type Disk struct {
	store   Space
	quotas  Quotas
	reserve int64
	share   float64 // of what a key holds and what is free together, above 0, 1 at most

	mu      sync.Mutex // held while the store is asked for its room
	asked   time.Time
	free    int64
	err     error
	written int64 // by guarded writers since that answer

	keys      sync.Mutex
	asking    bool // a caller asks the store what keys hold; the others go by its last answer
	keysAsked time.Time
	keysTook  time.Duration
	held      map[string]int64
	arriving  map[*Guard]int64 // what is being written, by writer, and what was committed since the last answer
}

// NewDisk returns a Disk that keeps a reserve of so many bytes, and of which one key may hold so
// many percent, 1 to 100.
func NewDisk(s Space, q Quotas, reserve int64, percent int) *Disk {
	return &Disk{store: s, quotas: q, reserve: reserve, share: float64(percent) / 100, arriving: map[*Guard]int64{}}
}

// Free returns how many bytes the store has room for, as of a second ago at most, less what guarded
// writers have written since.
func (d *Disk) Free() (int64, error) { return d.take(0) }

// take counts bytes that are written, and returns what is left.
func (d *Disk) take(bytes int64) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked.IsZero() || time.Since(d.asked) >= diskMaxAge {
		ctx, cancel := context.WithTimeout(context.Background(), diskTimeout)
		d.free, d.err = d.store.Free(ctx)
		cancel()
		d.asked, d.written = time.Now(), 0
	}
	d.written += bytes
	return max(0, d.free-d.written), d.err
}

// forget has the store asked again, as something was removed.
func (d *Disk) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = time.Time{}
}

// Check returns a problem where only the reserve is left: 507, or 500 if the store does not answer.
func (d *Disk) Check() error {
	_, err := d.room(0)
	return err
}

// room counts bytes that are written, and returns how much there is above the reserve. Errors are
// those of Check.
func (d *Disk) room(bytes int64) (int64, error) {
	free, err := d.take(bytes)
	if err != nil {
		return 0, web.Internal(err)
	}
	if free < d.reserve {
		return 0, web.Problem(http.StatusInsufficientStorage, "no new work is taken: the server's disk is nearly full")
	}
	return free - d.reserve, nil
}

// CheckKey is Check for new work of a key that stores audio: 507 also where the key holds its
// share.
func (d *Disk) CheckKey(key web.KeyHash) error {
	room, err := d.room(0)
	if err != nil {
		return err
	}
	return d.checkShare(key, leastWork, room-leastWork)
}

// checkShare returns a problem if a key, with more bytes added, would hold more than its share. The
// share is of what the key holds plus the room that is left on the disk.
func (d *Disk) checkShare(key web.KeyHash, more, room int64) error {
	if d.share >= 1 {
		return nil
	}
	held := d.heldBy(key)
	if held += more; float64(held) > d.share*float64(held+max(room, 0)) {
		return web.Problem(http.StatusInsufficientStorage,
			"no new work of this API key is taken: it holds its share of the server's disk; deleting jobs makes room")
	}
	return nil
}

// heldBy returns how much a key holds, what it is sending included.
func (d *Disk) heldBy(key web.KeyHash) (held int64) {
	d.askHeld()
	d.keys.Lock()
	defer d.keys.Unlock()
	held = d.held[nameOf(key)]
	for g, bytes := range d.arriving {
		if g.key == key {
			held += bytes
		}
	}
	return held
}

// arrivingOf returns how many bytes an account is sending.
func (d *Disk) arrivingOf(account string) (bytes int64) {
	d.keys.Lock()
	defer d.keys.Unlock()
	for g, n := range d.arriving {
		if g.account == account && !g.ended {
			bytes += n
		}
	}
	return bytes
}

// nameOf returns what the store calls a key; empty for none.
func nameOf(key web.KeyHash) string {
	if key == (web.KeyHash{}) {
		return ""
	}
	return string(key[:])
}

// askHeld asks the store what keys hold, unless it was asked lately or another caller asks. What
// was committed before the question is in the answer. Where the store does not answer in time its
// last answer holds: there is the reserve.
func (d *Disk) askHeld() {
	d.keys.Lock()
	if d.asking && d.held != nil || !d.keysAsked.IsZero() && time.Since(d.keysAsked) < max(heldMaxAge,
		heldIdle*d.keysTook) {
		d.keys.Unlock()
		return
	}
	d.asking = true
	var committed []*Guard
	for g := range d.arriving {
		if g.ended {
			committed = append(committed, g)
		}
	}
	d.keys.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), heldTime)
	defer cancel()
	began := time.Now()
	held, err := d.store.Held(ctx)

	d.keys.Lock()
	defer d.keys.Unlock()
	d.asking, d.keysAsked, d.keysTook = false, time.Now(), time.Since(began)
	if d.held == nil {
		d.held = map[string]int64{}
	}
	if err != nil {
		return
	}
	for _, g := range committed {
		delete(d.arriving, g)
	}
	if d.held = held; held == nil {
		d.held = map[string]int64{}
	}
}

// Gauge returns the free bytes for metrics, -1 where they are not known.
func (d *Disk) Gauge() float64 {
	free, err := d.Free()
	if err != nil {
		return -1
	}
	return float64(free)
}
