package tier

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"steno/messages"
)

// RecordDescription and uploadDescription are the names of descriptions within a record's and an
// upload's folder.
const (
	RecordDescription = "record.json"
	UploadDescription = "upload.json"
)

// maxDescription bounds a description, in bytes.
const maxDescription = 64 << 20

// Description is what the server has of a finished record or of an upload, in blob storage: what
// Rebuild needs beside the other objects of the folder. It goes with the folder, so that nothing
// that was deleted is rebuilt.
type Description struct {
	ID      string            `json:"id"`
	Fields  map[string][]byte `json:"fields"`            // of its hash
	Session map[string][]byte `json:"session,omitempty"` // fields of the session's hash
	// Segments are the manifest of the session's journal, as the server has it.
	Segments []string `json:"segments,omitempty"`
	// Late are the events that were logged after the session's archive was written.
	Late []DescribedEvent `json:"late,omitempty"`
	// Notes are those of the session that have the keys of its journal: number, place and body.
	Notes map[string][]byte `json:"notes,omitempty"`
	// Enqueued is the number of the last event of which a callback was enqueued.
	Enqueued string `json:"enqueued,omitempty"`
}

type DescribedEvent struct {
	Seq  int64         `json:"seq"`
	Kind messages.Kind `json:"kind"`
	Key  string        `json:"key"`
	Body []byte        `json:"body"`
}

// Encode returns the text of the object.
func (d *Description) Encode() ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", d.ID, err)
	}
	return text, nil
}

// PutDescription writes a description to an object.
func PutDescription(ctx context.Context, to Blobs, name string, d Description) error {
	text, err := d.Encode()
	if err != nil {
		return err
	}
	return to.Put(ctx, name, Section(text))
}

// ReadDescription reads a description. Errors: store.ErrNotFound.
func ReadDescription(ctx context.Context, from Blobs, name string) (d Description, err error) {
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

// NoArchive is the name of the archive of a session's events that were erased.
const NoArchive = "none"

// Objects are the names of the objects that what is described consists of.
func (d *Description) Objects() (names []string, err error) {
	folder := string(d.Fields["folder"])
	if strings.HasPrefix(folder, "u/") {
		return []string{folder + UploadBlob}, nil
	}
	if archive := string(d.Fields["archived"]); archive != "" {
		names = append(names, folder+archive)
	}
	if events := string(d.Session["archive"]); events != "" && events != NoArchive {
		names = append(names, events)
	}
	for _, text := range d.Segments {
		s, err := parseSegment(text)
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", d.ID, err)
		}
		names = append(names, s.Object)
	}
	return names, nil
}

func ByteFields(fields map[string]string) map[string][]byte {
	all := make(map[string][]byte, len(fields))
	for name, value := range fields {
		all[name] = []byte(value)
	}
	return all
}

// UploadFields are names and values as a description has them.
func UploadFields(folder string, f []string) map[string][]byte {
	all := map[string][]byte{"folder": []byte(folder)}
	for i := 0; i+1 < len(f); i += 2 {
		all[f[i]] = []byte(f[i+1])
	}
	return all
}

// UploadBlob is the name of an upload's bytes within its folder.
const UploadBlob = "audio"
