package records

import (
	"bytes"
	"encoding/json"
	"sync"

	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
)

const (
	// resultBytes bounds the results that are held for readers, and resultShare those of one key.
	// One that is larger than a share is held alone.
	resultBytes = 256 << 20
	resultShare = resultBytes / 4
	// resultsWaiting bounds the requests that wait for results of others to be read. They hold
	// none.
	resultsWaiting = 10_000
)

// results holds the results of the jobs that are being answered with, each once, however many
// clients read it and however slowly, and so many at a time that there is room for them. Its
// methods may be called from any goroutine.
type results struct {
	room *semaphore.Semaphore

	mu  sync.Mutex
	all map[string]*result // by job
}

// result is a job's result.
type result struct {
	of      *results
	job     string
	readers int
	text    json.RawMessage
	party   string // for which room is taken
	bytes   int64  // of that

	once  sync.Once
	parts map[string]json.RawMessage // of text, by name; nil: it is null
	err   error
}

func newResults(bytes, share int64) *results {
	return &results{room: semaphore.New(bytes, share, resultsWaiting), all: map[string]*result{}}
}

// cost is how many bytes a record takes while it is read: of a live one the parts of its result are
// there beside it.
func cost(r *store.Record) int64 {
	if r.Kind == messages.JobLive {
		return int64(2*len(r.Result) + len(r.Params))
	}
	return int64(len(r.Result) + len(r.Params))
}

// hold returns the result of a record, which is then the record's as well, if another reader has
// it, or reserved bytes are enough for it, or there is room for a party; else nil. What was
// reserved and is not needed is released. The caller lets the result go.
func (c *results) hold(r *store.Record, party string, reserved int64) *result {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, needed := c.all[r.ID], cost(r)
	shared := kept != nil && bytes.Equal(kept.text, r.Result)
	enough := !shared && reserved >= needed
	if reserved > 0 && !enough {
		c.room.Release(party, reserved)
	}
	switch {
	case shared:
	case enough:
		kept = &result{of: c, job: r.ID, text: r.Result, party: party, bytes: reserved}
	case c.room.TryAcquire(party, needed):
		kept = &result{of: c, job: r.ID, text: r.Result, party: party, bytes: needed}
	default:
		return nil
	}
	c.all[r.ID] = kept
	kept.readers++
	r.Result = kept.text
	return kept
}

// letGo ends what hold has begun.
func (r *result) letGo() {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.readers--; r.readers > 0 {
		return
	}
	if r.of.all[r.job] == r {
		delete(r.of.all, r.job)
	}
	r.of.room.Release(r.party, r.bytes)
}

// object returns the parts of the result. They must not be changed.
func (r *result) object() (map[string]json.RawMessage, error) {
	r.once.Do(func() { r.err = json.Unmarshal(r.text, &r.parts) })
	return r.parts, r.err
}
