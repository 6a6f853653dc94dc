package valkey

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store/blob"
)

const (
	// recordDescription and uploadDescription are the names of descriptions within a record's and an upload's folder.
	recordDescription = "record.json"
	uploadDescription = "upload.json"

	// maxDescription bounds a description, in bytes.
	maxDescription = 64 << 20
	// maxLate bounds the events in a description.
	maxLate = 10_000
)

// description is what the server has of a finished record or of an upload, in blob storage: what Rebuild needs beside the other objects of
// the folder. It goes with the folder, so that nothing that was deleted is rebuilt.
type description struct {
	ID      string            `json:"id"`
	Fields  map[string][]byte `json:"fields"`            // of its hash
	Session map[string][]byte `json:"session,omitempty"` // fields of the session's hash
	// Segments are the manifest of the session's journal, as the server has it.
	Segments []string `json:"segments,omitempty"`
	// Late are the events that were logged after the session's archive was written.
	Late []describedEvent `json:"late,omitempty"`
	// Enqueued is the number of the last event of which a callback was enqueued.
	Enqueued string `json:"enqueued,omitempty"`
}

type describedEvent struct {
	Seq  int64         `json:"seq"`
	Kind messages.Kind `json:"kind"`
	Key  string        `json:"key"`
	Body []byte        `json:"body"`
}

// claimFields are the fields of a session's hash that are about its claims.
var claimFields = []string{"nonce", "node", "until", "left", "changes", "seized", "followed"}

// describe writes the description of a finished record, whose session has been archived.
func (t *records) describe(ctx context.Context, id string, fields map[string]string) error {
	d := description{ID: id, Fields: byteFields(fields)}
	d.Fields["described"] = []byte("1")
	session, err := t.hash(ctx, "session:"+id)
	if err != nil {
		return err
	}
	for _, name := range claimFields {
		delete(session, name)
	}
	d.Session = byteFields(session)
	m, err := t.ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Lrange().Key(t.prefix + "session:" + id + ":segments").Start(0).Stop(-1).Build()
	})
	if err == nil {
		d.Segments, err = m.AsStrSlice()
	}
	if err == nil {
		d.Late, err = t.lateEvents(ctx, id, session["archived"])
	}
	if err == nil {
		m, err = t.field(ctx, "outbox:"+id, "last")
	}
	if err != nil {
		return err
	}
	d.Enqueued, _ = m.ToString() // nil where there is none
	return putDescription(ctx, t.blobs, fields["folder"]+recordDescription, d)
}

// lateEvents are the events of a session after the last one that was archived.
func (t *records) lateEvents(ctx context.Context, id, archived string) (list []describedEvent, err error) {
	last, err := parseInteger(archived)
	if err != nil {
		return nil, err
	}
	events, err := t.sessions.events(ctx, "", id, last, maxLate)
	for _, e := range events {
		list = append(list, describedEvent{e.Seq, e.Kind, e.Key.String(), e.Body})
	}
	return list, err
}

// encode returns the text of the object.
func (d *description) encode() ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", d.ID, err)
	}
	return text, nil
}

func putDescription(ctx context.Context, to *blob.Bucket, name string, d description) error {
	text, err := d.encode()
	if err != nil {
		return err
	}
	return to.Put(ctx, name, blob.Bytes(text))
}

// readDescription reads a description. Errors: store.ErrNotFound.
func readDescription(ctx context.Context, from *blob.Bucket, name string) (d description, err error) {
	text, err := from.ReadAll(ctx, name, maxDescription)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("read %s: %w", name, err)
	}
	if folder := string(d.Fields["folder"]); folder == "" || !strings.HasPrefix(name, folder) {
		return d, fmt.Errorf("read %s: it is of folder %q", name, folder)
	}
	return d, nil
}

// objects are the names of the objects that what is described consists of.
func (d *description) objects() (names []string, err error) {
	folder := string(d.Fields["folder"])
	if strings.HasPrefix(folder, "u/") {
		return []string{folder + uploadBlob}, nil
	}
	if archive := string(d.Fields["archived"]); archive != "" {
		names = append(names, folder+archive)
	}
	if events := string(d.Session["archive"]); events != "" {
		names = append(names, events)
	}
	for _, text := range d.Segments {
		s, err := parseSegment(text)
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", d.ID, err)
		}
		names = append(names, s.object)
	}
	return names, nil
}

func byteFields(fields map[string]string) map[string][]byte {
	all := make(map[string][]byte, len(fields))
	for name, value := range fields {
		all[name] = []byte(value)
	}
	return all
}

// uploadFields are names and values as a description has them.
func uploadFields(folder string, f []string) map[string][]byte {
	all := map[string][]byte{"folder": []byte(folder)}
	for i := 0; i+1 < len(f); i += 2 {
		all[f[i]] = []byte(f[i+1])
	}
	return all
}

var undescribedScript = script("record_undescribed", "record")

// describeOld has finished records archived that an earlier version has not described: some with each call, those that ended first before
// others. It runs once in the life of a process, as far as it can tell.
func (u *upkeep) describeOld(ctx context.Context) error {
	if u.described {
		return nil
	}
	m, err := u.server.run(ctx, undescribedScript, decimal(u.looked), decimal(rowsAtOnce))
	if err != nil {
		return err
	}
	n, err := m.AsInt64()
	if err != nil {
		return err
	}
	u.looked += n
	u.described = n < rowsAtOnce
	return nil
}
