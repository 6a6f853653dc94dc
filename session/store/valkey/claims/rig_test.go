package claims

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/records"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is the rooms of a store that sessions need. It has no upkeep; see settle.
type rig struct {
	*server.Conn
	*records.Records
	*Sessions
	*tier.Tier
	AccountLog
	*Feed
	blobs *blob.Bucket
}

// rigOptions are those of a store.
type rigOptions struct {
	Addr, Node, Blobs   string
	Durability          server.Durability
	Lease, ResumeWindow time.Duration
	Now                 func() time.Time
}

// openRig opens a rig with the options. Times that they lack are those of a store.
func openRig(ctx context.Context, o rigOptions) (*rig, error) {
	if o.Durability == "" {
		o.Durability = server.DurableProcess
	}
	if o.Lease == 0 {
		o.Lease = 15 * time.Second
	}
	if o.ResumeWindow == 0 {
		o.ResumeWindow = store.ResumeWindow
	}
	blobs, err := blob.Open(o.Blobs)
	if err != nil {
		return nil, err
	}
	conn, err := server.Connect(ctx, server.Options{Addr: o.Addr, Now: o.Now})
	if err != nil {
		blobs.Close()
		return nil, err
	}
	w := server.NewWriter(conn, o.Durability)
	r := &rig{Conn: conn, Tier: tier.New(conn, blobs), blobs: blobs}
	if err := w.Check(ctx); err != nil {
		conn.Close()
		blobs.Close()
		return nil, err
	}
	r.Records = records.New(w, r.Tier, records.Options{
		Window: o.ResumeWindow, Lease: o.Lease, Gone: func(string) {}, Erase: func() {},
	})
	r.Sessions = New(w, r.Tier, Records{Decode: records.DecodeRecord, Restore: r.Records.Restore},
		Options{Node: o.Node, Lease: o.Lease, Window: o.ResumeWindow})
	r.AccountLog, r.Feed = NewAccountLog(conn, r.Tier), NewFeed(r.Sessions)
	return r, nil
}

func (r *rig) Close() error {
	r.Feed.Close()
	r.Sessions.Close()
	r.Conn.Close()
	r.blobs.Close()
	return nil
}

// settle archives what has ended and removes what was deleted, whenever that is due.
func settle(t *testing.T, r *rig) {
	t.Helper()
	for _, id := range r.members(t, "archive") {
		err := r.Tier.Archive(t.Context(), id)
		if err == nil {
			err = r.Records.Archive(t.Context(), id)
		}
		if err != nil && !errors.Is(err, store.ErrClaimed) && !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
	}
	for _, folder := range slices.Concat(r.members(t, "removals"), r.members(t, "removals:late")) {
		must(t, r.Tier.RemoveFolder(t.Context(), folder))
	}
}

// members are those of a sorted set of the server.
func (r *rig) members(t *testing.T, key string) []string {
	t.Helper()
	list, err := r.Client.Do(t.Context(),
		r.Client.B().Zrange().Key(r.Prefix+key).Min("0").Max("-1").Build()).AsStrSlice()
	must(t, err)
	return list
}

// blobsOf are the names of all objects in blob storage.
func blobsOf(t *testing.T, r *rig) (names []string) {
	t.Helper()
	page, err := r.blobs.List(t.Context(), "", "", 1000)
	must(t, err)
	for _, o := range page {
		names = append(names, o.Name)
	}
	return names
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

// digest is a SHA-256.
func digest(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}

// openTimed returns a rig that goes by a clock of its own, and what advances that.
func openTimed(t *testing.T, addr, blobs string) (r *rig, advance func(time.Duration)) {
	t.Helper()
	var ahead atomic.Int64
	began := time.Now()
	r, err := openRig(t.Context(), rigOptions{
		Addr: addr, Node: "node", Blobs: blobs,
		Now: func() time.Time { return began.Add(time.Duration(ahead.Load())) },
	})
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	return r, func(d time.Duration) { ahead.Add(int64(d)) }
}
