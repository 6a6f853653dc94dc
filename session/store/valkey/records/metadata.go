package records

import (
	"context"
	"encoding/json"
	"fmt"

	"steno/session/store"
)

var patchScript = Scripts.Script("record_patch", "record")

// changed is what patchScript answers where another has changed the record meanwhile.
const changed = "changed"

// ChangeMetadata implements store.Records. The server takes the whole object where nothing else has
// changed the record.
func (t *Records) ChangeMetadata(ctx context.Context, account, id string, change store.MetadataChange) error {
	const tries = 50
	answer, err := changed, error(nil)
	for try := 0; err == nil && answer == changed; try++ {
		if try == tries {
			err = fmt.Errorf("%w: the record is changed all the time", store.ErrAway)
			break
		}
		answer, err = t.changeOnce(ctx, account, id, change)
	}
	if err != nil {
		return fmt.Errorf("change metadata: %w", err)
	}
	return nil
}

func (t *Records) changeOnce(ctx context.Context, account, id string, change store.MetadataChange) (answer string,
	err error) {
	fields, err := t.fields(ctx, id)
	if err == nil && (fields["account"] == "" || fields["account"] != account) {
		err = store.ErrNotFound
	}
	if err == nil && fields["post"] == "" {
		err = t.unarchive(ctx, id, fields)
	}
	if err != nil {
		return "", err
	}
	object, err := change(json.RawMessage(fields["post"]))
	if err == nil {
		err = store.CheckMetadata(object)
	}
	if err != nil {
		return "", err
	}
	m, err := t.writer.Run(ctx, patchScript, account, id, fields["revision"], string(object))
	if err != nil {
		return "", err
	}
	return m.ToString()
}
