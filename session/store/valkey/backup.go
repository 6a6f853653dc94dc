package valkey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/blob"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkey/tokens"
)

// BackedUp is what Backup has written.
type BackedUp struct{ Records, Uploads, Objects int }

// Backup writes to w all that blob storage describes: finished records with results, events and
// recordings, uploads, API keys, secrets of callbacks. Before, it has described what ended since.
// What has not ended (sessions under way, jobs that wait, callbacks to be sent) is no part of it.
// Gateways may use the store meanwhile: objects never change, descriptions are copied after what
// they name, and what is deleted meanwhile is left out. The caller closes w.
func Backup(ctx context.Context, o Options, w *backup.Writer) (done BackedUp, err error) {
	s, err := Open(ctx, o)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.upkeep.describeAll(ctx); err != nil {
		return done, fmt.Errorf("back up: %w", err)
	}
	b := copying{s.blobs, w, &done}
	for prefix, count := range map[string]*int{"u/": &done.Uploads, "r/": &done.Records} {
		if err := b.described(ctx, prefix, count); err != nil {
			return done, fmt.Errorf("back up: %w", err)
		}
	}
	keys, err := tokens.NewKept(server.NewWriter(s.Conn, o.Durability), s.Accounts, s.blobs).Objects(ctx)
	for _, name := range keys {
		if err == nil {
			err = b.copy(ctx, name)
		}
	}
	if err != nil {
		return done, fmt.Errorf("back up keys: %w", err)
	}
	erased, err := s.Conn.Erasures(ctx)
	if err == nil {
		err = w.AddErasures(erased)
	}
	if err != nil {
		return done, fmt.Errorf("back up: %w", err)
	}
	return done, nil
}

// describeAll writes the descriptions of everything finished, except what a handle still holds or
// another node is archiving.
func (u *upkeep) describeAll(ctx context.Context) error {
	u.rounds.Lock()
	defer u.rounds.Unlock()
	for {
		if err := u.describeOld(ctx); err != nil {
			return err
		}
		if err := u.archiveFinished(ctx); err != nil {
			return err
		}
		if u.described {
			return u.keepKeys(ctx)
		}
	}
}

// copying copies objects to a backup.
type copying struct {
	from *blob.Bucket
	to   *backup.Writer
	done *BackedUp
}

// described copies what is described in the folders that begin with a prefix.
func (c copying) described(ctx context.Context, prefix string, count *int) error {
	for after := ""; ; {
		page, err := c.from.List(ctx, prefix, after, blob.MaxPage)
		if err != nil {
			return err
		}
		for _, o := range page {
			after = o.Name
			if !strings.HasSuffix(o.Name, "/"+tier.RecordDescription) && !strings.HasSuffix(o.Name,
				"/"+tier.UploadDescription) {
				continue
			}
			err := c.one(ctx, o.Name)
			if errors.Is(err, store.ErrNotFound) {
				continue // deleted since
			}
			if err != nil {
				return err
			}
			*count++
		}
		if len(page) < blob.MaxPage {
			return nil
		}
	}
}

// one copies what a description names, and then the description. Where the description is rewritten
// meanwhile, it is read again. Of what was deleted meanwhile nothing stays. Errors:
// store.ErrNotFound.
func (c copying) one(ctx context.Context, name string) error {
	const tries = 5
	copied := map[string]bool{}
	for try := 1; ; try++ {
		d, err := tier.ReadDescription(ctx, c.from, name)
		if err == nil {
			err = c.objects(ctx, d, copied)
		} else {
			try = tries
		}
		if err == nil {
			return c.describe(name, d)
		}
		if try == tries || !errors.Is(err, store.ErrNotFound) {
			for name := range copied {
				err = errors.Join(err, c.to.Drop(name))
			}
			return err
		}
	}
}

// objects copies the objects that a description names, but for those that were copied before.
func (c copying) objects(ctx context.Context, d tier.Description, copied map[string]bool) error {
	names, err := d.Objects()
	if err != nil {
		return err
	}
	for _, name := range names {
		if copied[name] {
			continue
		}
		if err := c.copy(ctx, name); err != nil {
			return err
		}
		copied[name] = true
	}
	return nil
}

func (c copying) describe(name string, d tier.Description) error {
	text, err := d.Encode()
	if err != nil {
		return err
	}
	c.done.Objects++
	return c.to.Add(name, bytes.NewReader(text))
}

func (c copying) copy(ctx context.Context, name string) error {
	r, err := c.from.Open(ctx, name, 0, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	c.done.Objects++
	return c.to.Add(name, r)
}

// Restore puts a backup into blob storage that has nothing, after it has verified it, rebuilds from
// there what the server lacks, and erases what the lists state to be erased. Errors: those of
// backup.Verify and of Rebuild.
func Restore(ctx context.Context, o Options, dir string, m backup.Manifest, lists store.Erasures) (done Rebuilt,
	err error) {
	if err := backup.Verify(ctx, dir, m); err != nil {
		return done, err
	}
	bucket, err := blob.Open(o.Blobs)
	if err != nil {
		return done, err
	}
	defer bucket.Close()
	if page, err := bucket.List(ctx, "", "", 1); err != nil || len(page) > 0 {
		return done, errors.Join(err, errors.New("restore: the blob storage is not empty"))
	}
	err = backup.Each(ctx, dir, m, func(f backup.File, r *os.File) error {
		return bucket.Put(ctx, f.Name, io.NewSectionReader(r, 0, f.Size))
	})
	if err != nil {
		return done, err
	}
	if done, err = Rebuild(ctx, o); err == nil && len(lists) > 0 {
		done.Erased, err = eraseAgain(ctx, o, lists)
	}
	return done, err
}
