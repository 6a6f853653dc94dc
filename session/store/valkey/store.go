// Package valkey keeps what many gateways share in a Valkey server: records, queue, outbox, keys, and of running sessions the
// event log and the end of the journal. What is large or finished goes to blob storage. DESIGN.md beside the contract says
// what is kept where, for how long, and what each durability tier guarantees.
//
// # How it talks to the server
//
// Every change is one Lua script (folder scripts), so it is made wholly or not at all, by the server's clock. Scripts may be
// run again after an error: each recognizes what it has done. All names of keys begin with one prefix that is a hash tag, so
// all of them live on one primary; see keys.go.
//
// # Goroutines
//
// Of the store: one that listens (wakes.run), one that renews the leases of sessions that write nothing (sessions.renew), one
// that gathers the commits of sessions (groupCommit.gather), with one for each call under way, one that publishes unlogged
// events (feed.publish), and one for the upkeep (upkeep.run). Of each handle on a session: one that
// makes durable what the handle has accepted (flusher.flush), and while a segment goes to blob storage one more
// (flusher.beginUpload); at most maxUploads of these upload at a time. Methods run in their callers' goroutines. A claim whose
// answer was lost is given back in a goroutine of its own. Release waits for those of the handle, Close for all.
//
// The flusher is the one that writes to a session, so its calls have an order; it alone has version and answered, until
// Release, which waits for it, goes on in its place. Finish alone writes beside it, when nothing is left to be made durable.
//
// # Locks
//
//	flusher.notifying  held while a session is told of its progress; taken before claim.mu
//	claim.mu           what is accepted, and all other state of a handle; nothing is taken while it is held
//	readAhead.mu       held while a block of a journal is read
//	groupCommit.mu     the commits that wait for a call; nothing is taken while it is held
//	sessions.mu        the handles of the process; nothing is taken while it is held
//	wakes.mu           the channels; held while listeners are called, which take claim.mu and locks of their own
//	archives.mu        the archives read last; nothing is taken while it is held
//
// No call to the server or to blob storage is made while claim.mu, sessions.mu or wakes.mu is held.
package valkey

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/blob"
)

// Store keeps everything in a server. Its methods may be called from any goroutine.
type Store struct {
	*server
	*records
	keyring
	tokens
	secrets
	*sessions
	accountLog
	*feed
	*uploads
	*jobQueue
	*outbox
	nodes

	blobs  *blob.Bucket
	spool  *spool
	upkeep *upkeep
}

var _ store.Store = (*Store)(nil)

// Open connects to the server, and begins the upkeep of what is kept. The caller must close the store. Errors: store.ErrAway.
func Open(ctx context.Context, o Options) (*Store, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if o.Spool == "" {
		return nil, errors.New("open valkey: the spool has no name")
	}
	blobs, err := blob.Open(o.Blobs)
	if err != nil {
		return nil, err
	}
	spool, err := openSpool(o.Spool)
	if err != nil {
		blobs.Close()
		return nil, err
	}
	server, err := connect(ctx, o)
	if err == nil {
		if err = (writer{server, o.Durability}).check(ctx); err != nil {
			server.close()
			err = fmt.Errorf("open valkey: %w", err)
		}
	}
	if err != nil {
		blobs.Close()
		return nil, errors.Join(err, spool.close())
	}
	return newStore(server, blobs, spool, o), nil
}

// newStore joins the parts.
func newStore(server *server, blobs *blob.Bucket, spool *spool, o Options) *Store {
	w := writer{server, o.Durability}
	copies := &copies{blobs: blobs, spool: spool, open: map[string]*localCopy{}}
	s := &Store{
		server: server, blobs: blobs, spool: spool,
		keyring: keyring{server, w}, tokens: tokens{server, w}, secrets: secrets{server, w},
		sessions: newSessions(server, blobs, o), nodes: nodes{server},
		uploads:  &uploads{server: server, writer: w, blobs: blobs, spool: spool, copies: copies, writers: map[string]*uploadWriter{}},
		jobQueue: &jobQueue{server, w, new(doubts)}, outbox: newOutbox(server, w),
		upkeep: &upkeep{server: server, blobs: blobs, erase: o.Erase, failed: o.Failed},
	}
	s.accountLog, s.feed = accountLog{s.sessions}, newFeed(s.sessions)
	s.records = &records{server: server, writer: w, blobs: blobs, upkeep: s.upkeep, copies: copies, sessions: s.sessions, window: o.ResumeWindow, lease: o.Lease}
	s.upkeep.archives = append(s.upkeep.archives, s.sessions.archive, s.records.archive)
	s.upkeep.keepKeys = keptKeys{s.keyring, s.secrets, blobs}.save
	s.upkeep.start()
	return s
}

// Free implements store.Store: the room for uploads on the local disk, or in blob storage where that has less.
func (s *Store) Free(ctx context.Context) (int64, error) {
	there, err := s.blobs.Free(ctx)
	if err != nil {
		return 0, err
	}
	here, err := s.spool.free()
	return min(here, there), err
}

// Held implements store.Store. What is in a bucket takes none of the room for uploads.
func (s *Store) Held(ctx context.Context) (map[string]int64, error) {
	there, err := s.blobs.Free(ctx)
	if err != nil || there == math.MaxInt64 {
		return nil, err
	}
	counts, err := s.hash(ctx, "held")
	if err != nil {
		return nil, err
	}
	n, held := fieldNumbers{fields: counts}, map[string]int64{}
	for key := range counts {
		held[key] = n.integer(key)
	}
	return held, n.err
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.upkeep.close()
	s.feed.close()
	s.sessions.close()
	err := s.uploads.discardAll()
	s.server.close()
	s.blobs.Close()
	return errors.Join(err, s.spool.close())
}

// Durability is what the server has done with a change before it counts as durable.
type Durability string

// The durability tiers.
const (
	// DurableProcess survives the death of every gateway. A machine or server that dies may lose the last seconds.
	DurableProcess Durability = "process"
	// DurableDisk survives the death of the server: the change is in its append-only file, synced. It needs Valkey, or Redis
	// from 7.2, with appendonly.
	DurableDisk Durability = "disk"
	// DurableReplica survives the loss of the server's machine: a replica has the change.
	DurableReplica Durability = "replica"
)

// Options say where the server is and who asks. The zero value of a field is the default named.
type Options struct {
	// Addr is host:port, or a URL: valkey://user:password@host:port/db, valkeys:// for TLS, unix:///path. Its parameters
	// prefix, and master_set with further addr for Sentinel, are looked at.
	Addr string
	// TLS secures the connections, those to Sentinel too; nil: plain text, or with valkeys:// the system's authorities.
	TLS *tls.Config
	// Node is the name of this process among those that share the server; not empty.
	Node string
	// Durability defaults to DurableProcess.
	Durability Durability
	// Blobs is where uploads, recordings and what is large of finished records are, as blob.Open has it.
	Blobs string
	// Spool is a local folder for uploads on their way in and copies of those that are read. Processes may share it.
	Spool string
	// Erase is the least time between two rewrites of the server's append-only file, by which deletions leave it. Default
	// 15 minutes; below 0: none is asked for.
	Erase time.Duration
	// ResumeWindow is how long sessions wait for their clients after Live.Close. Default store.ResumeWindow.
	ResumeWindow time.Duration
	// Failed is told what the upkeep could not do and will try again, by one goroutine; nil: nothing is.
	Failed func(error)
	// Lease is how long a claim lasts without being renewed. Default 15 s.
	Lease time.Duration
	// Now is the clock of leases, queue and outbox; nil for that of the server. Any goroutine calls it. For tests.
	Now func() time.Time
}

// defaultPrefix begins the names of all keys. The braces make it the hash tag of all of them.
const defaultPrefix = "{steno}:"

const (
	// answerTimeout bounds the wait for an answer of the server, after which its connections are closed.
	answerTimeout = 3 * time.Second
	// dialTimeout bounds the wait for a connection.
	dialTimeout = 2 * time.Second
)

func (o Options) withDefaults() (Options, error) {
	if o.Node == "" {
		return o, errors.New("open valkey: the node has no name")
	}
	if o.Lease <= 0 {
		o.Lease = 15 * time.Second
	}
	if o.Erase == 0 {
		o.Erase = 15 * time.Minute
	}
	if o.ResumeWindow <= 0 {
		o.ResumeWindow = store.ResumeWindow
	}
	switch o.Durability {
	case "":
		o.Durability = DurableProcess
	case DurableProcess, DurableDisk, DurableReplica:
	default:
		return o, fmt.Errorf("open valkey: durability is %q, not process, disk or replica", o.Durability)
	}
	return o, nil
}

// clientOption returns what the client library is told of an address, and the prefix of the names of keys. secured is that of
// Options.
func clientOption(addr string, secured *tls.Config) (valkey.ClientOption, string, error) {
	if !strings.Contains(addr, "://") {
		addr = "valkey://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil {
		return valkey.ClientOption{}, "", errors.New("parse address of valkey: not host:port and not a URL") // the cause has the password
	}
	prefix := defaultPrefix
	if name := u.Query().Get("prefix"); name != "" {
		prefix = "{" + strings.Trim(name, "{}:") + "}:"
	}
	o, err := valkey.ParseURL(addr)
	if err != nil {
		return o, "", fmt.Errorf("parse address of valkey: %w", err)
	}
	o.ClientName = "steno"
	o.DisableCache = true
	o.DisableRetry = true // of reads; the callers of scripts decide themselves
	o.Dialer.Timeout = dialTimeout
	o.ConnWriteTimeout = answerTimeout
	o.ForceSingleClient = o.Sentinel.MasterSet == ""
	if o.TLSConfig != nil {
		o.TLSConfig.ServerName = "" // each server, of several, has a certificate for its own address
	}
	if secured != nil {
		o.TLSConfig = secured
	}
	o.Sentinel.TLSConfig = o.TLSConfig
	return o, prefix, nil
}

// connect opens the connections to the server. The caller must close it. Errors: store.ErrAway.
func connect(ctx context.Context, o Options) (*server, error) {
	option, prefix, err := clientOption(o.Addr, o.TLS)
	if err != nil {
		return nil, err
	}
	connections := new(atomic.Int64)
	option.DialCtxFn = dialer(connections)
	client, err := valkey.NewClient(option)
	if err != nil {
		return nil, fmt.Errorf("connect to valkey: %w", serverError(ctx, err))
	}
	s := &server{
		client: client, prefix: prefix, now: o.Now, here: time.Now,
		connections: connections, figures: new(figures), latencies: new(latencies), unsynced: new(atomic.Int64),
	}
	if o.Now != nil {
		s.here = o.Now
	}
	s.wakes = newWakes(s)
	return s, nil
}
