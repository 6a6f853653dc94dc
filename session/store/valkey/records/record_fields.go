package records

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

// encodeRecord returns a record as names and values of its hash. What is empty or nil has no field.
func encodeRecord(r store.Record) []string {
	f := server.FieldList{}
	f.Add("account", r.Account)
	f.Add("kind", string(r.Kind))
	f.Add("status", string(r.Status))
	f.Add("version", strconv.Itoa(r.Version))
	f.Add("created", server.Millis(r.CreatedAt))
	if r.CompletedAt != nil {
		f.Add("completed", server.Millis(*r.CompletedAt))
	}
	f.Add("custom", string(r.CustomMetadata))
	f.Add("post", string(r.PostSessionMetadata))
	f.Add("params", string(r.Params))
	f.Add("languages", string(r.Languages))
	f.Add("warnings", string(r.Warnings))
	f.Add("socket", strconv.FormatInt(int64(r.Socket), 10))
	f.Add("callback", strconv.FormatInt(int64(r.Callback), 10))
	f.Add("token", string(r.TokenHash))
	f.Add("key", string(r.Key))
	f.Add("upload", r.Upload)
	if r.Stopped {
		f.Add("stopped", "1")
	}
	if r.Grace > 0 {
		f.Add("grace", server.Milliseconds(r.Grace))
	}
	f.Add("auth", string(r.CallbackAuth))
	if r.Transient != 0 {
		f.Add("transient", strconv.Itoa(int(r.Transient)))
	}
	addOutcome(&f, r.ErrorCode, r.ErrorMessage, r.Result, r.Seconds)
	f.Add("channels", strconv.Itoa(r.Channels))
	return f
}

func addOutcome(f *server.FieldList, code *int, message string, result json.RawMessage, seconds *float64) {
	if code != nil {
		f.Add("code", strconv.Itoa(*code))
	}
	f.Add("message", message)
	f.Add("result", string(result))
	if seconds != nil {
		f.Add("seconds", strconv.FormatFloat(*seconds, 'g', -1, 64))
	}
}

// DecodeRecord returns the record of that id from its hash.
func DecodeRecord(id string, fields map[string]string) (store.Record, error) {
	n := server.Numbers{Fields: fields}
	r := store.Record{
		ID: id, Account: fields["account"],
		Kind: messages.JobKind(fields["kind"]), Status: messages.Status(fields["status"]),
		Version:        int(n.Integer("version")),
		CreatedAt:      time.UnixMilli(n.Integer("created")).UTC(),
		CustomMetadata: server.Raw(fields["custom"]), PostSessionMetadata: server.Raw(fields["post"]),
		Params:    server.Raw(fields["params"]),
		Languages: server.Raw(fields["languages"]), Warnings: server.Raw(fields["warnings"]),
		Socket: messages.Filter(n.Integer("socket")), Callback: messages.Filter(n.Integer("callback")),
		TokenHash: server.Raw(fields["token"]), Key: server.Raw(fields["key"]), Upload: fields["upload"],
		Transient: store.Parts(n.Integer("transient")), Stripped: store.Parts(n.Integer("stripped")),
		Grace:   time.Duration(n.Integer("grace")) * time.Millisecond,
		Stopped: fields["stopped"] == "1", CallbackAuth: server.Raw(fields["auth"]),
		ErrorMessage: fields["message"], Result: server.Raw(fields["result"]), Channels: int(n.Integer("channels")),
	}
	if fields["completed"] != "" {
		at := time.UnixMilli(n.Integer("completed")).UTC()
		r.CompletedAt = &at
	}
	if fields["code"] != "" {
		code := int(n.Integer("code"))
		r.ErrorCode = &code
	}
	r.Seconds = n.Seconds("seconds")
	losses, err := parseLosses(fields["losses"])
	if r.Losses = losses; err != nil {
		n.Err = err
	}
	if n.Err != nil {
		return store.Record{}, fmt.Errorf("read record: %w", n.Err)
	}
	return r, nil
}

// parseLosses reads the losses of a record: number and size of the journal of each, separated by
// spaces.
func parseLosses(text string) (list []session.Loss, err error) {
	words := strings.Fields(text)
	if len(words)%2 != 0 {
		return nil, fmt.Errorf("read losses: %d numbers", len(words))
	}
	n, err := server.Integers(words)
	if err != nil {
		return nil, fmt.Errorf("read losses: %w", err)
	}
	for i := 0; i < len(n); i += 2 {
		list = append(list, session.Loss{Number: n[i], From: n[i+1]})
	}
	return list, nil
}
