package records

import (
	"context"
	"fmt"
	"strconv"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

var (
	expiredScript = Scripts.Script("record_expired", "record")
	loosenScript  = Scripts.Script("record_loosen", "record")
	stripScript   = Scripts.Script("record_strip", "record", "queue", "outbox", "session", "erasure")
)

// Expired implements store.Records.
func (t *Records) Expired(ctx context.Context, q store.Expired, limit int) (all []store.RecordID, err error) {
	from, kind := "-inf", ""
	switch {
	case q.Transient:
		q, kind = store.Expired{Before: q.Before}, "transient"
	case !q.From.IsZero():
		from = t.server.Ahead(q.From)
	}
	for skip, more := 0, true; more && len(all) < limit; skip += server.MaxRows {
		m, err := t.server.Look(ctx, expiredScript, from, t.server.Ahead(q.Before), strconv.Itoa(skip),
			strconv.Itoa(server.MaxRows), kind)
		if err != nil {
			return nil, fmt.Errorf("list finished records: %w", err)
		}
		rows, err := m.AsStrSlice()
		if err != nil {
			return nil, fmt.Errorf("list finished records: %w", err)
		}
		for i := 0; i+2 < len(rows) && len(all) < limit; i += 3 {
			stripped, err := server.ParseInteger(rows[i+2])
			if err != nil {
				return nil, fmt.Errorf("list finished records: %w", err)
			}
			if rows[i] != "" && q.Wants(rows[i], store.Parts(stripped)) {
				all = append(all, store.RecordID{Account: rows[i], ID: rows[i+1]})
			}
		}
		more = len(rows) == 3*server.MaxRows
	}
	return all, nil
}

// Strip implements store.Records. What a call leaves where blob storage is away is erased by the
// next one: the record tells what was erased when all of it was.
func (t *Records) Strip(ctx context.Context, account, id string, parts store.Parts) error {
	const tries = 20
	err := store.CheckParts(parts)
	for try, again := 0, true; err == nil && again; try++ {
		if try == tries {
			err = fmt.Errorf("%w: the record is changed all the time", store.ErrAway)
			break
		}
		again, err = t.stripOnce(ctx, account, id, parts)
	}
	if err != nil {
		return fmt.Errorf("erase %s of a record: %w", parts, err)
	}
	t.Erase()
	return nil
}

// stripOnce tells whether the record was changed meanwhile.
func (t *Records) stripOnce(ctx context.Context, account, id string, parts store.Parts) (again bool, err error) {
	fields, err := t.fields(ctx, id)
	if err != nil {
		return false, err
	}
	r, err := DecodeRecord(id, fields)
	switch {
	case err != nil:
		return false, err
	case account == "" || r.Account != account:
		return false, store.ErrNotFound
	case !r.Finished():
		return false, store.ErrNotFinished
	}
	if parts.Has(store.PartTranscripts) {
		if again, err := t.loosen(ctx, account, id, fields); again || err != nil {
			return again, err
		}
	}
	s, err := t.sessionObjects(ctx, id, parts)
	if err != nil {
		return false, err
	}
	if s.nonce != "" {
		return false, store.ErrClaimed
	}
	stale := []string{fields["folder"] + tier.RecordDescription}
	for _, name := range []string{fields["stale"], fields["archived"]} {
		if name != "" && parts.Has(store.PartTranscripts) {
			stale = append(stale, fields["folder"]+name)
		}
	}
	for _, object := range append(stale, s.objects...) {
		if err := t.tier.Blobs.Delete(ctx, object); err != nil {
			return false, err
		}
	}
	mark, err := t.server.EraseMark(ctx, id, parts)
	if err != nil {
		return false, err
	}
	m, err := t.writer.Run(ctx, stripScript, account, id, parts.String(), strconv.Itoa(int(r.Stripped|parts)),
		s.archive, s.size, s.seq, mark)
	if err != nil {
		return false, err
	}
	answer, err := m.ToString()
	if err != nil || answer == changed {
		return true, err
	}
	t.removeStripped(ctx, fields["folder"], answer, parts)
	return false, nil
}

// removeStripped empties the folders of parts, and that of the upload, which upload is unless it is
// OK.
func (t *Records) removeStripped(ctx context.Context, folder, upload string, parts store.Parts) {
	var folders []string
	if parts.Has(store.PartAudio) {
		folders = append(folders, folder+"audio/")
	}
	if parts.Has(store.PartMessages) {
		folders = append(folders, folder+"events/")
	}
	if upload != "OK" {
		t.Gone(upload)
		folders = append(folders, upload)
	}
	t.tier.Remove(ctx, folders...)
}

// loosen takes the result from a record, and has the server keep what else is in its archive.
func (t *Records) loosen(ctx context.Context, account, id string, fields map[string]string) (again bool, err error) {
	archived, revision := fields["archived"], fields["revision"]
	if archived == "" && fields["result"] == "" {
		return false, nil
	}
	whole := map[string]string{}
	for name, value := range fields {
		whole[name] = value
	}
	if err := t.unarchive(ctx, id, whole); err != nil {
		return false, err
	}
	args := []string{account, id, revision}
	for name, value := range whole {
		if _, there := fields[name]; !there && name != "result" {
			args = append(args, name, value)
		}
	}
	m, err := t.writer.Run(ctx, loosenScript, args...)
	if err != nil {
		return false, err
	}
	answer, err := m.ToString()
	return answer == changed, err
}

// strippedSession is what a session has of parts.
type strippedSession struct {
	nonce, archive, size, seq string
	objects                   []string
}

// sessionObjects lists the objects in blob storage that have parts of a record's session.
func (t *Records) sessionObjects(ctx context.Context, id string, parts store.Parts) (s strippedSession, err error) {
	m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Hmget().Key(t.server.Prefix+"session:"+id).Field("nonce", "archive", "size", "seq").Build()
	})
	if err != nil {
		return s, err
	}
	var r server.Reader
	state := r.Texts(m)
	if r.Err != nil {
		return s, r.Err
	}
	s = strippedSession{nonce: state[0], archive: state[1], size: state[2], seq: state[3]}
	lists := map[string]store.Parts{"segments": store.PartAudio, "pages": store.PartMessages}
	for name, part := range lists {
		if !parts.Has(part) {
			continue
		}
		m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
			return b.Lrange().Key(t.server.Prefix + "session:" + id + ":" + name).Start(0).Stop(-1).Build()
		})
		if err != nil {
			return s, err
		}
		for _, segment := range tier.ParseSegments(&r, m) {
			s.objects = append(s.objects, segment.Object)
		}
	}
	if parts.Has(store.PartMessages) && s.archive != "" && s.archive != tier.NoArchive {
		s.objects = append(s.objects, s.archive)
	}
	return s, r.Err
}
