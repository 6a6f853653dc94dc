package records

import (
	"bytes"
	"encoding/json"
	"sync"

	"steno/session/store"
)

// results holds the results of the jobs that are being answered with, each once, however many clients read it and however slowly. Its
// methods may be called from any goroutine.
type results struct {
	mu  sync.Mutex
	all map[string]*result // by job
}

// result is a job's result.
type result struct {
	of      *results
	job     string
	readers int
	text    json.RawMessage

	once  sync.Once
	parts map[string]json.RawMessage // of text, by name; nil: it is null
	err   error
}

func newResults() *results { return &results{all: map[string]*result{}} }

// hold returns the result of a record, which is then the record's as well. The caller lets it go.
func (c *results) hold(r *store.Record) *result {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.all[r.ID]
	if kept == nil || !bytes.Equal(kept.text, r.Result) {
		kept = &result{of: c, job: r.ID, text: r.Result}
		c.all[r.ID] = kept
	}
	kept.readers++
	r.Result = kept.text
	return kept
}

// letGo ends what hold has begun.
func (r *result) letGo() {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.readers--; r.readers == 0 && r.of.all[r.job] == r {
		delete(r.of.all, r.job)
	}
}

// object returns the parts of the result. They must not be changed.
func (r *result) object() (map[string]json.RawMessage, error) {
	r.once.Do(func() { r.err = json.Unmarshal(r.text, &r.parts) })
	return r.parts, r.err
}
