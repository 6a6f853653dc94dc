package records

import (
	"context"

	"github.com/valkey-io/valkey-go"

	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// maxLate bounds the events in a description.
const maxLate = 10_000

// claimFields are the fields of a session's hash that are about its claims.
var claimFields = []string{"nonce", "node", "until", "left", "changes", "seized", "followed"}

// describe writes the description of a finished record, whose session has been archived.
func (t *Records) describe(ctx context.Context, id string, fields map[string]string) error {
	d := tier.Description{ID: id, Fields: tier.ByteFields(fields)}
	d.Fields["described"] = []byte("1")
	session, err := t.server.Hash(ctx, "session:"+id)
	if err != nil {
		return err
	}
	for _, name := range claimFields {
		delete(session, name)
	}
	d.Session = tier.ByteFields(session)
	m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Lrange().Key(t.server.Prefix + "session:" + id + ":segments").Start(0).Stop(-1).Build()
	})
	if err == nil {
		d.Segments, err = m.AsStrSlice()
	}
	if err == nil {
		var notes map[string]string
		notes, err = t.server.Hash(ctx, "session:"+id+":notes")
		d.Notes = tier.ByteFields(notes)
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
	return tier.PutDescription(ctx, t.tier.Blobs, fields["folder"]+tier.RecordDescription, d)
}

// lateEvents are the events of a session after the last one that was archived.
func (t *Records) lateEvents(ctx context.Context, id, archived string) (list []tier.DescribedEvent, err error) {
	last, err := server.ParseInteger(archived)
	if err != nil {
		return nil, err
	}
	events, err := t.tier.ListEvents(ctx, "", id, last, maxLate)
	for _, e := range events {
		list = append(list, tier.DescribedEvent{Seq: e.Seq, Kind: e.Kind, Key: e.Key.String(), Body: e.Body})
	}
	return list, err
}
