package valkey

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/store"
)

// encodeRecord returns a record as names and values of its hash. What is empty or nil has no field.
func encodeRecord(r store.Record) []string {
	f := fieldList{}
	f.text("account", r.Account)
	f.text("kind", string(r.Kind))
	f.text("status", string(r.Status))
	f.text("version", strconv.Itoa(r.Version))
	f.text("created", millis(r.CreatedAt))
	if r.CompletedAt != nil {
		f.text("completed", millis(*r.CompletedAt))
	}
	f.text("custom", string(r.CustomMetadata))
	f.text("post", string(r.PostSessionMetadata))
	f.text("params", string(r.Params))
	f.text("languages", string(r.Languages))
	f.text("warnings", string(r.Warnings))
	f.text("socket", strconv.FormatInt(int64(r.Socket), 10))
	f.text("callback", strconv.FormatInt(int64(r.Callback), 10))
	f.text("token", string(r.TokenHash))
	f.text("key", string(r.Key))
	f.text("upload", r.Upload)
	if r.Stopped {
		f.text("stopped", "1")
	}
	f.outcome(r.ErrorCode, r.ErrorMessage, r.Result, r.Seconds)
	f.text("channels", strconv.Itoa(r.Channels))
	return f
}

// fieldList is names and values in turn.
type fieldList []string

func (f *fieldList) text(name, value string) {
	if value != "" {
		*f = append(*f, name, value)
	}
}

func (f *fieldList) outcome(code *int, message string, result json.RawMessage, seconds *float64) {
	if code != nil {
		f.text("code", strconv.Itoa(*code))
	}
	f.text("message", message)
	f.text("result", string(result))
	if seconds != nil {
		f.text("seconds", strconv.FormatFloat(*seconds, 'g', -1, 64))
	}
}

// millis is a time as scripts have it.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// decodeRecord returns the record of that id from its hash.
func decodeRecord(id string, fields map[string]string) (store.Record, error) {
	n := fieldNumbers{fields: fields}
	r := store.Record{
		ID: id, Account: fields["account"],
		Kind: messages.JobKind(fields["kind"]), Status: messages.Status(fields["status"]), Version: int(n.integer("version")),
		CreatedAt:      time.UnixMilli(n.integer("created")).UTC(),
		CustomMetadata: raw(fields["custom"]), PostSessionMetadata: raw(fields["post"]), Params: raw(fields["params"]),
		Languages: raw(fields["languages"]), Warnings: raw(fields["warnings"]),
		Socket: messages.Filter(n.integer("socket")), Callback: messages.Filter(n.integer("callback")),
		TokenHash: raw(fields["token"]), Key: raw(fields["key"]), Upload: fields["upload"], Stopped: fields["stopped"] == "1",
		ErrorMessage: fields["message"], Result: raw(fields["result"]), Channels: int(n.integer("channels")),
	}
	if fields["completed"] != "" {
		at := time.UnixMilli(n.integer("completed")).UTC()
		r.CompletedAt = &at
	}
	if fields["code"] != "" {
		code := int(n.integer("code"))
		r.ErrorCode = &code
	}
	if text := fields["seconds"]; text != "" {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil {
			n.err = err
		}
		r.Seconds = &seconds
	}
	losses, err := parseLosses(fields["losses"])
	if r.Losses = losses; err != nil {
		n.err = err
	}
	if n.err != nil {
		return store.Record{}, fmt.Errorf("read record: %w", n.err)
	}
	return r, nil
}

// raw is a value of a hash; nil where there is none.
func raw(value string) []byte {
	if value == "" {
		return nil
	}
	return []byte(value)
}

// fieldNumbers reads whole numbers from a hash, and keeps the first error.
type fieldNumbers struct {
	fields map[string]string
	err    error
}

// integer returns a number; 0 where it is missing.
func (f *fieldNumbers) integer(name string) int64 {
	text := f.fields[name]
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n
}
