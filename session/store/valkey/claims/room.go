package claims

import (
	"context"
	"sync/atomic"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// room is what all handles of a process share.
type room struct {
	server  *server.Conn
	writer  server.Writer
	tier    *tier.Tier
	records Records
	node    string
	lease   time.Duration
	window  time.Duration // from the end of a lease until other nodes may adopt the session
	group   *groupCommit
	open    atomic.Int64 // handles that are not closed
}

// Records is what the sessions need of records.
type Records struct {
	// Decode reads the record of an id from its hash.
	Decode func(id string, fields map[string]string) (store.Record, error)
	// Restore keeps a record again that the server has forgotten, from its hash. One that is there
	// stays as it is.
	Restore func(ctx context.Context, id string, fields map[string]string) error
}

// Options specifies who claims, and for how long.
type Options struct {
	Node   string
	Lease  time.Duration
	Window time.Duration // from the end of a lease until other nodes may adopt the session
}

// many tells whether the process holds so many sessions that each has fewer calls than it may have,
// whatever it commits.
func (r *room) many() bool { return r.open.Load() >= int64(commitEvery/groupEvery) }

// commitEvery and commitBurst bound the commits of a session where few share the calls: 11 a
// second, and a few more at a time so that an event seldom waits. Where many do, groupEvery bounds
// the calls.
const commitEvery = 92 * time.Millisecond
