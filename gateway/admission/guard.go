package admission

import (
	"context"

	"steno/gateway/web"
	"steno/session/store"
)

// checkedEach is after how many bytes a writer looks whether its key still may write.
const checkedEach = 1 << 20

// Guard is the writer of an upload that ends where the disk has no more room for its key. It is
// used by one goroutine.
type Guard struct {
	store.UploadWriter
	ctx     context.Context // of the request or job that writes
	disk    *Disk
	account string
	key     web.KeyHash
	left    int64 // bytes until the share is looked at again

	ended bool // it was committed or discarded; guarded by Disk.keys
}

// Guard returns a writer that refuses what is beyond the room of a key or of its account, which the
// store is asked for while ctx lasts. Committed, the upload is the key's.
func (d *Disk) Guard(ctx context.Context, w store.UploadWriter, account string, key web.KeyHash) *Guard {
	g := &Guard{UploadWriter: w, ctx: ctx, disk: d, account: account, key: key}
	d.keys.Lock()
	d.arriving[g] = 0
	d.keys.Unlock()
	return g
}

// Write writes unless there is no room, which is a problem, 507.
func (g *Guard) Write(p []byte) (int, error) {
	room, err := g.disk.room(int64(len(p)))
	if err == nil {
		err = g.count(int64(len(p)), room)
	}
	if err != nil {
		return 0, err
	}
	return g.UploadWriter.Write(p)
}

// count counts bytes for the key, and returns a problem where they are beyond its share.
func (g *Guard) count(bytes, room int64) error {
	g.disk.keys.Lock()
	g.disk.arriving[g] += bytes
	g.disk.keys.Unlock()
	if g.left -= bytes; g.left > 0 {
		return nil
	}
	g.left = checkedEach
	return g.check(g.ctx, room)
}

// check returns a problem where the key or its account has more than it may.
func (g *Guard) check(ctx context.Context, room int64) error {
	if err := g.disk.checkShare(g.key, 0, room); err != nil {
		return err
	}
	return g.disk.quotas.CheckStorage(ctx, g.account, g.disk.arrivingOf(g.account))
}

// Commit makes the bytes an upload of the key.
func (g *Guard) Commit(ctx context.Context, u store.Upload) (store.Upload, error) {
	room, err := g.disk.room(0)
	if err == nil {
		err = g.check(ctx, room)
	}
	if err != nil {
		return store.Upload{}, err
	}
	if g.key != (web.KeyHash{}) {
		u.Key = g.key[:]
	}
	committed, err := g.UploadWriter.Commit(ctx, u)
	if err == nil {
		g.end(false)
		g.disk.quotas.Stored(g.account)
	}
	return committed, err
}

// Discard removes what was written, unless it was committed.
func (g *Guard) Discard() error {
	err := g.UploadWriter.Discard()
	g.end(true)
	return err
}

// end has the bytes counted by the store, if they are kept.
func (g *Guard) end(gone bool) {
	g.disk.keys.Lock()
	defer g.disk.keys.Unlock()
	if gone && !g.ended {
		delete(g.disk.arriving, g)
		g.disk.forget()
	}
	g.ended = true
}
