package records

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// smallRecord is how large the JSON of a finished record may be that stays on the server whole,
	// in bytes.
	smallRecord = 1 << 10
	// maxArchive bounds the archive of a record, in bytes; and each field in it.
	maxArchive = 1 << 30
)

// sizedFields are the fields whose lengths lists tell, and that make a record large.
var sizedFields = []string{"params", "post", "custom", "result"}

// keptFields are those of a finished record that stay on the server: what scripts look at, and what
// the archive is found by.
var keptFields = map[string]bool{
	"account": true, "kind": true, "status": true, "created": true, "completed": true, "folder": true, "upload": true,
	"token": true, "key": true, "held": true, "lists": true, "revision": true, "settled": true, "stopped": true,
	"transient": true, "stripped": true, "stale": true,
	"archived": true, "archived_bytes": true, "has_result": true, "described": true,
}

func sizeOf(fields map[string]string) (bytes int) {
	for _, name := range sizedFields {
		bytes += len(fields[name])
	}
	return bytes
}

var archiveScript = Scripts.Script("record_archive", "record")

// Archive moves what is large of a finished record to blob storage, and describes the record there.
// One that is changed meanwhile is in the list of those to be archived again.
func (t *Records) Archive(ctx context.Context, id string) error {
	fields, err := t.fields(ctx, id)
	if err == nil && fields["account"] == "" {
		_, err = t.archived(ctx, id, "", fields, nil) // it was deleted
	} else if err == nil {
		err = t.archiveFields(ctx, id, fields)
	}
	if err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	return nil
}

func (t *Records) archiveFields(ctx context.Context, id string, fields map[string]string) (err error) {
	name, kept, moved := "", fields, []string(nil)
	if sizeOf(fields) > smallRecord {
		if err := t.unarchive(ctx, id, fields); err != nil { // into one archive with what is new
			return err
		}
		name = "record-" + rand.Text()[:12] + ".zip"
		var text []byte
		if text, moved, err = zipFields(fields); err != nil {
			return err
		}
		if err := t.tier.Blobs.Put(ctx, fields["folder"]+name, blob.Bytes(text)); err != nil {
			return err
		}
		kept = leftFields(fields, name, moved)
	}
	if err := t.describe(ctx, id, kept); err != nil {
		return err
	}
	current, err := t.archived(ctx, id, name, fields, moved)
	if err == nil && !current { // the description may be of what is no more, or of an archive that was removed
		err = t.tier.Blobs.Delete(ctx, fields["folder"]+tier.RecordDescription)
	}
	return err
}

// leftFields are the fields of a record that the server has when others have moved to an archive.
func leftFields(fields map[string]string, archive string, moved []string) map[string]string {
	left := maps.Clone(fields)
	for _, name := range moved {
		delete(left, name)
	}
	left["archived"], left["archived_bytes"], left["described"] = archive, strconv.Itoa(sizeOf(fields)), "1"
	if fields["result"] != "" {
		left["has_result"] = "1"
	}
	return left
}

// archived records that fields of a record are in its archive called name; the name is empty if no
// field had to be archived. current is false if the record was changed or deleted meanwhile.
func (t *Records) archived(
	ctx context.Context, id, name string, fields map[string]string, moved []string,
) (current bool, err error) {
	hasResult := ""
	if fields["result"] != "" {
		hasResult = "1"
	}
	args := []string{id, fields["folder"], fields["revision"], name, strconv.Itoa(sizeOf(fields)), hasResult}
	m, err := t.server.Run(ctx, archiveScript, append(args, moved...)...)
	if err != nil {
		return false, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 2 {
		return false, fmt.Errorf("%w: answer about an archive: %w", store.ErrAway, err)
	}
	var r server.Reader
	useless, taken := r.Text(answer[0]), r.Integer(answer[1]) // the archive that another one follows
	if r.Err != nil || useless == "" {
		return taken == 1, r.Err
	}
	return taken == 1, t.tier.Blobs.Delete(ctx, fields["folder"]+useless) // else it goes with the record
}

// unarchive adds to the fields of a record those that are in its archive. Fields that are there
// stay: they are newer.
func (t *Records) unarchive(ctx context.Context, id string, fields map[string]string) error {
	for fields["archived"] != "" {
		text, err := t.tier.Blobs.ReadAll(ctx, fields["folder"]+fields["archived"], maxArchive)
		if err == nil {
			return unzipFields(text, fields)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read archive of record: %w", err)
		}
		now, err := t.fields(ctx, id) // it may have been archived again, or deleted
		if err != nil {
			return err
		}
		if now["folder"] != fields["folder"] {
			return store.ErrNotFound
		}
		if now["archived"] == fields["archived"] {
			return fmt.Errorf("read archive of record: %q is missing", fields["archived"])
		}
		clear(fields)
		for name, value := range now {
			fields[name] = value
		}
	}
	return nil
}

// zipFields puts the fields that need not stay on the server into an archive, each as a file of its
// name.
func zipFields(fields map[string]string) (archive []byte, moved []string, err error) {
	var to bytes.Buffer
	w := zip.NewWriter(&to)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed)
	})
	for name, value := range fields {
		if keptFields[name] {
			continue
		}
		file, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(file, value)
		}
		if err != nil {
			return nil, nil, err
		}
		moved = append(moved, name)
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	return to.Bytes(), moved, nil
}

// unzipFields reads the fields of an archive that are not there already.
func unzipFields(archive []byte, fields map[string]string) error {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("read archive of record: %w", err)
	}
	for _, file := range r.File {
		if _, there := fields[file.Name]; there {
			continue
		}
		if fields[file.Name], err = unzipFile(file); err != nil {
			return fmt.Errorf("read archive of record: %s: %w", file.Name, err)
		}
	}
	return nil
}

func unzipFile(file *zip.File) (string, error) {
	r, err := file.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxArchive))
	return string(text), err
}
