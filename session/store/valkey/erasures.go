package valkey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// Erasures returns what was erased from a store. Of the options the address counts. Errors:
// store.ErrAway.
func Erasures(ctx context.Context, o Options) (*store.ErasureList, error) {
	s, _, err := connectTool(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Erasures(ctx)
}

// eraseAgain erases from a store that was restored what lists state to be erased.
func eraseAgain(ctx context.Context, o Options, lists store.Erasures) (n int, err error) {
	s, err := Open(ctx, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	const most = 1 << 30 // a backup has finished records alone
	ids, err := s.Expired(ctx, store.Expired{Before: time.Now().AddDate(1, 0, 0)}, most)
	if err != nil {
		return 0, err
	}
	all := make([]store.Made, 0, len(ids))
	for _, id := range ids {
		r, err := s.Get(ctx, id.Account, id.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return 0, err
		}
		all = append(all, store.Made{RecordID: id, At: r.CreatedAt})
	}
	if n, err = store.EraseAgain(ctx, s, all, lists); err != nil {
		return n, err
	}
	return n, s.upkeep.keepKeys(ctx)
}

// Prune removes from a backup of blob storage the records that lists state to be erased, with
// uploads that no other record uses, and returns how many. Parts of records, and data keys of
// accounts, stay: Restore erases them by the lists, which are in the backup then. Errors: those of
// backup.Prune.
func Prune(ctx context.Context, dir string, m backup.Manifest, lists store.Erasures) (n int, err error) {
	err = backup.Prune(ctx, dir, m, lists, func() ([]string, error) {
		n, err = pruneFolders(dir, m, lists)
		return nil, err
	})
	return n, err
}

// pruneFolders removes the folders of records and uploads.
func pruneFolders(dir string, m backup.Manifest, lists store.Erasures) (n int, err error) {
	used, free := map[string]bool{}, map[string]bool{} // uploads, by id
	var gone []string
	for _, f := range m.Files {
		if !strings.HasPrefix(f.Name, "r/") || !strings.HasSuffix(f.Name, "/"+tier.RecordDescription) {
			continue
		}
		d, made, err := describedIn(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by a call that was interrupted
		}
		if err != nil {
			return n, err
		}
		upload := string(d.Fields["upload"])
		if _, whole := lists.Find(d.ID, made); whole {
			n, gone, free[upload] = n+1, append(gone, folderOf(f.Name)), true
		} else {
			used[upload] = true
		}
	}
	for _, f := range m.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if parts[0] == "u" && len(parts) == 3 && free[parts[1]] && !used[parts[1]] {
			gone = append(gone, folderOf(f.Name))
		}
	}
	for _, folder := range gone {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(folder))); err != nil {
			return n, fmt.Errorf("remove %s: %w", folder, err)
		}
	}
	return n, nil
}

// describedIn reads the description of a record from a file, and when the record was made.
func describedIn(path string) (d tier.Description, made time.Time, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	var at int64
	if err == nil {
		at, err = server.ParseInteger(string(d.Fields["created"]))
	}
	return d, time.UnixMilli(at), err
}
