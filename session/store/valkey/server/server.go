package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// refusals are the first words of answers which mean that the server cannot serve now, though it is
// there.
var refusals = []string{
	"OOM", "READONLY", "LOADING", "BUSY", "MASTERDOWN", "NOREPLICAS", "MISCONF", "CLUSTERDOWN", "TRYAGAIN",
	"UNKILLABLE",
}

// Error makes an error of the contract of one of the client library. nil stays nil.
func Error(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	answer, ok := valkey.IsValkeyErr(err)
	if !ok {
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	word, rest, _ := strings.Cut(answer.Error(), " ")
	if word == "STENO" {
		failure, detail, _ := strings.Cut(rest, " ")
		if failure == "CLAIMED" {
			return store.ClaimedError{Holder: detail}
		}
		if err, ok := failures[failure]; ok {
			return err
		}
	}
	for _, refusal := range refusals {
		if word == refusal || strings.HasPrefix(answer.Error(), "-"+refusal) {
			return fmt.Errorf("%w: %w", store.ErrAway, err)
		}
	}
	return err
}

// failures are the errors that scripts return, by the word after "STENO".
var failures = map[string]error{
	"NOTFOUND":    store.ErrNotFound,
	"EXISTS":      store.ErrExists,
	"NOTFINISHED": store.ErrNotFinished,
	"FINISHED":    store.ErrFinished,
	"TOOLARGE":    store.ErrTooLarge,
	"ERASED":      store.ErrErased,
	"QUOTA":       store.ErrQuota,
	"INVALID":     store.ErrInvalid,
	"LOST":        store.ErrLost,
	"TAKEN":       store.ErrTaken,
	"USED":        store.ErrUsed,
	"SENT":        store.ErrSent,
	"AWAY":        store.ErrAway,
}
