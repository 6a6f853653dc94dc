package valkey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/accounts"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkey/tokens"
)

// Rebuilt is what Rebuild has done.
type Rebuilt struct {
	Records, Uploads, Keys, Secrets, Quotas int // that the server was given

	There      int      // records and uploads that it has
	Erased     int      // records and accounts that Restore has erased again
	Deleted    int      // that were deleted of late, and whose objects are on their way out
	Incomplete []string // what is missing in blob storage, and of which record or upload
}

var (
	beginScript         = scripts.Script("rebuild_begin")
	rebuildRecordScript = scripts.Script("record_rebuild", "record", "session")
	rebuildUploadScript = scripts.Script("upload_rebuild", "record")
)

// Rebuild restores from blob storage what a server has lost, be it everything or a part: API keys,
// secrets of callbacks, uploads, and finished records with their results, events and recordings.
// What the server has stays as it is; what was deleted does not come back, since its description
// went with it. Gateways may use the server meanwhile. Of the options the address, the durability
// and the blobs count. Errors: store.ErrAway; it may be run again.
func Rebuild(ctx context.Context, o Options) (done Rebuilt, err error) {
	s, w, err := connectTool(ctx, o)
	if err != nil {
		return done, err
	}
	defer s.Close()
	bucket, err := blob.Open(o.Blobs)
	if err != nil {
		return done, err
	}
	defer bucket.Close()
	r := rebuild{server: s, writer: w, blobs: bucket, done: &done}
	for _, step := range []func(context.Context) error{r.begin, r.keys, r.uploads, r.records} {
		if err := step(ctx); err != nil {
			return done, fmt.Errorf("rebuild: %w", err)
		}
	}
	slices.Sort(done.Incomplete)
	return done, nil
}

type rebuild struct {
	server *server.Conn
	writer server.Writer
	blobs  *blob.Bucket

	mu   sync.Mutex
	done *Rebuilt // guarded by mu
}

func (r *rebuild) begin(ctx context.Context) error {
	_, err := r.server.Run(ctx, beginScript)
	return err
}

func (r *rebuild) keys(ctx context.Context) error {
	done, err := tokens.NewKept(r.writer, accounts.New(r.writer), r.blobs).Restore(ctx)
	r.done.Keys, r.done.Secrets, r.done.Quotas = done.Keys, done.Secrets, done.Quotas
	return err
}

func (r *rebuild) uploads(ctx context.Context) error {
	return eachDescribed(ctx, r.blobs, "u/", func(ctx context.Context, d *tier.Description, missing []string) error {
		return r.one(ctx, d, missing, rebuildUploadScript, &r.done.Uploads, append([]string{d.ID}, pairs(d.Fields)...))
	})
}

func (r *rebuild) records(ctx context.Context) error {
	return eachDescribed(ctx, r.blobs, "r/", func(ctx context.Context, d *tier.Description, missing []string) error {
		if archive := string(d.Fields["archived"]); archive != "" &&
			slices.Contains(missing, string(d.Fields["folder"])+archive) {
			r.note(d, missing, "it is left out")
			return nil
		}
		var late []string
		for _, e := range d.Late {
			late = append(late, server.Decimal(e.Seq), server.Decimal(int64(e.Kind)), e.Key, string(e.Body))
		}
		args := []string{d.ID, d.Enqueued}
		for _, list := range [][]string{pairs(d.Fields), pairs(d.Session), d.Segments, late, pairs(d.Notes)} {
			args = append(append(args, server.Decimal(int64(len(list)))), list...)
		}
		return r.one(ctx, d, missing, rebuildRecordScript, &r.done.Records, args)
	})
}

// one has the server keep a record or an upload, and counts it.
func (r *rebuild) one(
	ctx context.Context, d *tier.Description, missing []string, s server.Script, count *int, args []string,
) error {
	answer := ""
	err := server.Insist(ctx, func() error {
		m, err := r.writer.Run(ctx, s, args...)
		if err == nil {
			answer, err = m.ToString()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", d.ID, err)
	}
	if answer == "ok" && len(missing) > 0 {
		r.note(d, missing, "it comes without that")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch answer {
	case "ok":
		*count++
	case "there":
		r.done.There++
	case "deleted":
		r.done.Deleted++
	}
	return nil
}

// note reports what is missing of a record or an upload.
func (r *rebuild) note(d *tier.Description, missing []string, so string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Incomplete = append(r.done.Incomplete, fmt.Sprintf("%s: missing is %s: %s", d.ID,
		strings.Join(missing, ", "), so))
}

// pairs are names and values in turn.
func pairs(fields map[string][]byte) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		list = append(list, name, string(fields[name]))
	}
	return list
}

// describedAtOnce bounds the descriptions that are read at a time.
const describedAtOnce = 16

// eachDescribed calls f, several at a time, with each description in the folders that begin with a
// prefix, and with the names of the objects that it names and that are not there. Descriptions that
// go meanwhile are left out.
func eachDescribed(
	ctx context.Context, bucket *blob.Bucket, prefix string, f func(ctx context.Context, d *tier.Description,
		missing []string) error,
) error {
	folder, names := "", map[string]bool{} // objects come in the order of their names: those of a folder together
	for after := ""; ; {
		page, err := bucket.List(ctx, prefix, after, blob.MaxPage)
		if err != nil {
			return err
		}
		var all sync.WaitGroup
		var errs []error
		places := make(chan struct{}, describedAtOnce)
		var mu sync.Mutex
		for _, o := range page {
			after = o.Name
			if of := folderOf(o.Name); of != folder {
				folder, names = of, map[string]bool{}
			}
			names[o.Name] = true
			if !strings.HasSuffix(o.Name, "/"+tier.RecordDescription) && !strings.HasSuffix(o.Name,
				"/"+tier.UploadDescription) {
				continue
			}
			there := maps.Clone(names)
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				err := oneDescribed(ctx, bucket, o.Name, there, f)
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			})
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil || len(page) < blob.MaxPage {
			return err
		}
	}
}

// oneDescribed calls f with a description.
func oneDescribed(
	ctx context.Context, bucket *blob.Bucket, name string, there map[string]bool,
	f func(ctx context.Context, d *tier.Description, missing []string) error,
) error {
	d, err := tier.ReadDescription(ctx, bucket, name)
	if errors.Is(err, store.ErrNotFound) {
		return nil // deleted since
	}
	if err != nil {
		return err
	}
	wanted, err := d.Objects()
	if err != nil {
		return err
	}
	return f(ctx, &d, slices.DeleteFunc(wanted, func(name string) bool { return there[name] }))
}

// folderOf is the folder of a record or an upload that an object is in: kind, id and random part.
func folderOf(name string) string {
	parts := strings.SplitN(name, "/", 4)
	return strings.Join(parts[:min(3, len(parts))], "/")
}
