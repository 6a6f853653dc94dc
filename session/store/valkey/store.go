// Package valkey keeps what many gateways share in a Valkey server: records, queue, outbox, keys,
// and of running sessions the event log and the end of the journal. What is large or finished goes
// to blob storage. DESIGN.md beside the contract states what is kept where, for how long, and what
// each durability tier guarantees.
//
// The store is rooms, packages below this one: server, the connection that all share; tier, what is
// both on the server and in blob storage; claims, records, uploads, tokens, accounts, queue and
// outbox. Those import server and tier alone. What one needs of another it gets as functions when
// the store is opened (newStore). This package opens the rooms, and has what concerns all of them:
// the upkeep, backups and rebuilding, facts and rights.
//
// Each change is one script; package server documents how they are run. The upkeep has a goroutine
// of its own (upkeep.run); those of sessions, and the locks, are in package claims, the one that
// listens is in package server. Close waits for all.
package valkey

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"time"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/accounts"
	"steno/session/store/valkey/claims"
	"steno/session/store/valkey/outbox"
	"steno/session/store/valkey/queue"
	"steno/session/store/valkey/records"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkey/tokens"
	"steno/session/store/valkey/uploads"
)

// Store keeps everything in a server. Its methods may be called from any goroutine.
type Store struct {
	*server.Conn
	*records.Records
	tokens.Keyring
	tokens.Tokens
	tokens.SecretList
	tokens.DataKeyList
	*claims.Sessions
	*tier.Tier
	claims.AccountLog
	*claims.Feed
	*uploads.Uploads
	*queue.Queue
	*outbox.Outbox
	server.Nodes
	accounts.Accounts

	blobs  *blob.Bucket
	spool  *uploads.Spool
	upkeep *upkeep
}

var _ store.Store = (*Store)(nil)

// Open connects to the server, and begins the upkeep of what is kept. The caller must close the
// store. Errors: store.ErrAway.
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
	spool, err := uploads.OpenSpool(o.Spool)
	if err != nil {
		blobs.Close()
		return nil, err
	}
	conn, err := server.Connect(ctx, o.server())
	if err == nil {
		if err = server.NewWriter(conn, o.Durability).Check(ctx); err != nil {
			conn.Close()
			err = fmt.Errorf("open valkey: %w", err)
		}
	}
	if err != nil {
		blobs.Close()
		return nil, errors.Join(err, spool.Close())
	}
	return newStore(conn, blobs, spool, o), nil
}

// newStore joins the rooms.
func newStore(conn *server.Conn, blobs *blob.Bucket, spool *uploads.Spool, o Options) *Store {
	w, t := server.NewWriter(conn, o.Durability), tier.New(conn, blobs)
	s := &Store{
		Conn: conn, blobs: blobs, spool: spool, Tier: t,
		Keyring: tokens.NewKeyring(w), Tokens: tokens.NewTokens(w), SecretList: tokens.NewSecrets(w),
		DataKeyList: tokens.NewDataKeys(w),
		Nodes:       server.NewNodes(conn), Accounts: accounts.New(w),
		Uploads: uploads.New(w, t, blobs, spool), Outbox: outbox.New(w), AccountLog: claims.NewAccountLog(conn, t),
		upkeep: &upkeep{server: conn, tier: t, erase: o.Erase, failed: o.Failed},
	}
	s.Records = records.New(w, t, records.Options{Window: o.ResumeWindow, Lease: o.Lease, Gone: s.Uploads.Gone,
		Erase: s.upkeep.wake})
	s.Queue = queue.New(w, queue.Rooms{Decode: records.DecodeRecord, Deliveries: outbox.Arguments})
	s.Sessions = claims.New(w, t, claims.Records{Decode: records.DecodeRecord, Restore: s.Records.Restore},
		claims.Options{Node: o.Node, Lease: o.Lease, Window: o.ResumeWindow})
	s.Feed = claims.NewFeed(s.Sessions)
	s.upkeep.archives = append(s.upkeep.archives, t.Archive, s.Records.Archive)
	s.upkeep.keepKeys = tokens.NewKept(w, s.Accounts, blobs).Save
	s.upkeep.start()
	return s
}

// Free implements store.Store: the room for uploads on the local disk, or in blob storage where
// that has less.
func (s *Store) Free(ctx context.Context) (int64, error) {
	there, err := s.blobs.Free(ctx)
	if err != nil {
		return 0, err
	}
	here, err := s.spool.Free()
	return min(here, there), err
}

// Held implements store.Store. What is in a bucket takes none of the room for uploads.
func (s *Store) Held(ctx context.Context) (map[string]int64, error) {
	there, err := s.blobs.Free(ctx)
	if err != nil || there == math.MaxInt64 {
		return nil, err
	}
	counts, err := s.Conn.Hash(ctx, "held")
	if err != nil {
		return nil, err
	}
	n, held := server.Numbers{Fields: counts}, map[string]int64{}
	for key := range counts {
		held[key] = n.Integer(key)
	}
	return held, n.Err
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.upkeep.close()
	s.Feed.Close()
	s.Sessions.Close()
	err := s.Uploads.DiscardAll()
	s.Conn.Close()
	s.blobs.Close()
	return errors.Join(err, s.spool.Close())
}

// Durability is what the server has done with a change before it counts as durable.
type Durability = server.Durability

// The durability tiers.
const (
	DurableProcess = server.DurableProcess
	DurableDisk    = server.DurableDisk
	DurableReplica = server.DurableReplica
)

// Figures are what a server reports of its state.
type Figures = server.Figures

// Options specifies where the server is and who asks. The zero value of a field means the
// documented default.
type Options struct {
	// Addr is host:port, or a URL: valkey://user:password@host:port/db, valkeys:// for TLS,
	// unix:///path. Its parameters prefix, and master_set with further addr for Sentinel, are
	// looked at.
	Addr string
	// TLS secures the connections, those to Sentinel too; nil: plain text, or with valkeys:// the
	// system's authorities.
	TLS *tls.Config
	// Node is the name of this process among those that share the server; not empty.
	Node string
	// Durability defaults to DurableProcess.
	Durability Durability
	// Blobs is where uploads, recordings and what is large of finished records are, as blob.Open
	// has it.
	Blobs string
	// Spool is a local folder for uploads on their way in and copies of those that are read.
	// Processes may share it.
	Spool string
	// Erase is the least time between two rewrites of the server's append-only file, by which
	// deletions leave it. Default 15 minutes; below 0: none is asked for.
	Erase time.Duration
	// ResumeWindow is how long sessions wait for their clients after Live.Close. Default
	// store.ResumeWindow.
	ResumeWindow time.Duration
	// Failed is called with what the upkeep could not do and will try again, by one goroutine; nil:
	// errors are dropped.
	Failed func(error)
	// Lease is how long a claim lasts without being renewed. Default 15 s.
	Lease time.Duration
	// Now is the clock of leases, queue and outbox; nil for that of the server. Any goroutine calls
	// it. For tests.
	Now func() time.Time
}

// server are the options of the connection.
func (o Options) server() server.Options { return server.Options{Addr: o.Addr, TLS: o.TLS, Now: o.Now} }

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
