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

// PatchMetadata implements store.Records. Objects are merged here, since Lua's JSON loses the
// difference of [] and {}; the server takes the whole where nothing else has changed the record.
func (t *Records) PatchMetadata(ctx context.Context, account, id string, patch map[string]any) error {
	const tries = 50
	answer, err := changed, error(nil)
	for try := 0; err == nil && answer == changed; try++ {
		if try == tries {
			err = fmt.Errorf("%w: the record is changed all the time", store.ErrAway)
			break
		}
		answer, err = t.patchOnce(ctx, account, id, patch)
	}
	if err != nil {
		return fmt.Errorf("patch metadata: %w", err)
	}
	return nil
}

func (t *Records) patchOnce(ctx context.Context, account, id string, patch map[string]any) (answer string, err error) {
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
	merged, err := merge(fields["post"], patch)
	if err != nil {
		return "", err
	}
	m, err := t.writer.Run(ctx, patchScript, account, id, fields["revision"], string(merged))
	if err != nil {
		return "", err
	}
	return m.ToString()
}

// merge sets the keys of patch in an object.
func merge(object string, patch map[string]any) ([]byte, error) {
	merged := map[string]json.RawMessage{}
	err := json.Unmarshal([]byte(object), &merged)
	if err != nil {
		return nil, fmt.Errorf("read what is there: %w", err)
	}
	for k, v := range patch {
		if merged[k], err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	whole, err := json.Marshal(merged)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	if len(whole) > store.MaxMetadata {
		return nil, store.ErrTooLarge
	}
	return whole, nil
}
