package callbacks

import (
	"context"
	"errors"
	"fmt"

	"steno/session/store"
)

// RecordAuth returns a [Config.Auth] that reads the header from the record of a recorded job.
func RecordAuth(records store.Records) func(context.Context, store.Delivery) (string, error) {
	return func(ctx context.Context, v store.Delivery) (string, error) {
		if v.Seq != 0 {
			return "", nil // of a live session
		}
		r, err := records.Get(ctx, v.Account, v.Job)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return "", fmt.Errorf("find callback's header: %w", err)
		}
		return string(r.CallbackAuth), nil
	}
}
