package valkey

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"

	"steno/session/store"
	"steno/session/store/blob"
)

const (
	// smallRecord is how large the JSON of a finished record may be that stays on the server whole, in bytes.
	smallRecord = 1 << 10
	// maxArchive bounds the archive of a record, in bytes; and each field in it.
	maxArchive = 1 << 30
)

// sizedFields are the fields whose lengths lists tell, and that make a record large.
var sizedFields = []string{"params", "post", "custom", "result"}

// keptFields are those of a finished record that stay on the server: what scripts look at, and what the archive is found by.
var keptFields = map[string]bool{
	"account": true, "kind": true, "status": true, "created": true, "completed": true, "folder": true, "upload": true,
	"token": true, "key": true, "held": true, "lists": true, "revision": true, "settled": true, "stopped": true,
	"archived": true, "archived_bytes": true, "has_result": true,
}

func sizeOf(fields map[string]string) (bytes int) {
	for _, name := range sizedFields {
		bytes += len(fields[name])
	}
	return bytes
}

var archiveScript = script("record_archive", "record")

// archive moves what is large of a finished record to blob storage. A record that is small stays as it is; so does one that is
// changed meanwhile, which then is in the list of those to be archived again.
func (t *records) archive(ctx context.Context, id string) error {
	fields, err := t.fields(ctx, id)
	if err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	if fields["account"] == "" || sizeOf(fields) <= smallRecord {
		return t.archived(ctx, id, fields["revision"], "", fields, nil)
	}
	if err := t.unarchive(ctx, id, fields); err != nil { // into one archive with what is new
		return err
	}
	text, moved, err := zipFields(fields)
	if err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	name := "record-" + rand.Text()[:12] + ".zip"
	if err := t.blobs.Put(ctx, fields["folder"]+name, blob.Bytes(text)); err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	return t.archived(ctx, id, fields["revision"], name, fields, moved)
}

// archived says that fields of a record are in its archive of that name; the name is empty where none needed to.
func (t *records) archived(ctx context.Context, id, revision, name string, fields map[string]string, moved []string) error {
	hasResult := ""
	if fields["result"] != "" {
		hasResult = "1"
	}
	m, err := t.run(ctx, archiveScript, append([]string{id, fields["folder"], revision, name, strconv.Itoa(sizeOf(fields)), hasResult}, moved...)...)
	if err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	useless, err := m.ToString() // the archive that another one follows
	if err != nil {
		return fmt.Errorf("archive record: %w", err)
	}
	if useless == "" {
		return nil
	}
	return t.blobs.Delete(ctx, fields["folder"]+useless) // else it goes with the record
}

// unarchive adds to the fields of a record those that are in its archive. Fields that are there stay: they are newer.
func (t *records) unarchive(ctx context.Context, id string, fields map[string]string) error {
	for fields["archived"] != "" {
		text, err := t.blobs.ReadAll(ctx, fields["folder"]+fields["archived"], maxArchive)
		if err == nil {
			return unzipFields(text, fields)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read archive of record: %w", err)
		}
		now, err := t.fields(ctx, id) // it may have been archived anew, or deleted
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

// zipFields puts the fields that need not stay on the server into an archive, each as a file of its name.
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
