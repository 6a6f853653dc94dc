package valkey

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
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

// parseLosses reads the losses of a record: number and size of the journal of each, separated by spaces.
func parseLosses(text string) (list []store.Loss, err error) {
	words := strings.Fields(text)
	if len(words)%2 != 0 {
		return nil, fmt.Errorf("read losses: %d numbers", len(words))
	}
	n, err := integers(words)
	if err != nil {
		return nil, fmt.Errorf("read losses: %w", err)
	}
	for i := 0; i < len(n); i += 2 {
		list = append(list, store.Loss{Number: n[i], From: n[i+1]})
	}
	return list, nil
}
