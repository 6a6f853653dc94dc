package valkey

import (
	"context"
	"steno/session/store/valkey/server"

	"github.com/valkey-io/valkey-go"
)

// maxLate bounds the events in a description.
const maxLate = 10_000

// claimFields are the fields of a session's hash that are about its claims.
var claimFields = []string{"nonce", "node", "until", "left", "changes", "seized", "followed"}

// describe writes the description of a finished record, whose session has been archived.
func (t *records) describe(ctx context.Context, id string, fields map[string]string) error {
	d := description{ID: id, Fields: byteFields(fields)}
	d.Fields["described"] = []byte("1")
	session, err := t.server.Hash(ctx, "session:"+id)
	if err != nil {
		return err
	}
	for _, name := range claimFields {
		delete(session, name)
	}
	d.Session = byteFields(session)
	m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Lrange().Key(t.server.Prefix + "session:" + id + ":segments").Start(0).Stop(-1).Build()
	})
	if err == nil {
		d.Segments, err = m.AsStrSlice()
	}
	if err == nil {
		d.Late, err = t.lateEvents(ctx, id, session["archived"])
	}
	if err == nil {
		m, err = t.server.Field(ctx, "outbox:"+id, "last")
	}
	if err != nil {
		return err
	}
	d.Enqueued, _ = m.ToString() // nil where there is none
	return putDescription(ctx, t.tier.blobs, fields["folder"]+recordDescription, d)
}

// lateEvents are the events of a session after the last one that was archived.
func (t *records) lateEvents(ctx context.Context, id, archived string) (list []describedEvent, err error) {
	last, err := server.ParseInteger(archived)
	if err != nil {
		return nil, err
	}
	events, err := t.tier.events(ctx, "", id, last, maxLate)
	for _, e := range events {
		list = append(list, describedEvent{e.Seq, e.Kind, e.Key.String(), e.Body})
	}
	return list, err
}
