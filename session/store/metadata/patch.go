package metadata

import (
	"encoding/json"
	"fmt"

	"steno/session/store"
)

// Patch sets the keys of values in an object, replacing those that are there; other keys stay.
// Errors of the change: store.ErrInvalid (a value is no JSON), store.ErrTooLarge (the whole would
// exceed store.MaxMetadata).
func Patch(values map[string]any) store.MetadataChange {
	return func(object json.RawMessage) (json.RawMessage, error) {
		merged := map[string]json.RawMessage{}
		err := json.Unmarshal(object, &merged)
		if err != nil {
			return nil, fmt.Errorf("read what is there: %w", err)
		}
		for k, v := range values {
			if merged[k], err = json.Marshal(v); err != nil {
				return nil, fmt.Errorf("patch metadata: %w: %w", store.ErrInvalid, err)
			}
		}
		whole, err := json.Marshal(merged)
		if err != nil {
			return nil, fmt.Errorf("patch metadata: %w: %w", store.ErrInvalid, err)
		}
		if len(whole) > store.MaxMetadata {
			return nil, fmt.Errorf("patch metadata: %w", store.ErrTooLarge)
		}
		return whole, nil
	}
}
