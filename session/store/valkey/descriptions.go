package valkey

import (
	"context"
	"encoding/json"
	"fmt"
	"steno/messages"
	"strings"
)

// recordDescription and uploadDescription are the names of descriptions within a record's and an upload's folder.
const (
	recordDescription = "record.json"
	uploadDescription = "upload.json"
)

// maxDescription bounds a description, in bytes.
const maxDescription = 64 << 20

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

// encode returns the text of the object.
func (d *description) encode() ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", d.ID, err)
	}
	return text, nil
}

// putDescription writes a description to an object.
func putDescription(ctx context.Context, to blobs, name string, d description) error {
	text, err := d.encode()
	if err != nil {
		return err
	}
	return to.Put(ctx, name, section(text))
}

// readDescription reads a description. Errors: store.ErrNotFound.
func readDescription(ctx context.Context, from blobs, name string) (d description, err error) {
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

// uploadBlob is the name of an upload's bytes within its folder.
const uploadBlob = "audio"
