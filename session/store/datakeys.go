package store

import (
	"context"
	"time"
)

// DataKey is a key that data of an account is sealed with, wrapped under a master key.
type DataKey struct {
	Account   string
	Number    int    // from 1, in the order in which an account got them
	Wrapped   []byte // empty: the key was forgotten
	CreatedAt time.Time
}

// DataKeys is the list of data keys.
type DataKeys interface {
	// DataKeys returns the keys of an account, those of all accounts where it is empty, by account
	// and number; forgotten ones too.
	DataKeys(ctx context.Context, account string) ([]DataKey, error)
	// AddDataKey keeps a key. Errors: ErrExists (the account has one of that number).
	AddDataKey(ctx context.Context, k DataKey) error
	// WrapDataKey replaces the wrapping of a key that was not forgotten. Errors: ErrNotFound.
	WrapDataKey(ctx context.Context, k DataKey) error
	// ForgetDataKeys empties all keys of an account, as thoroughly as Delete removes a record.
	ForgetDataKeys(ctx context.Context, account string) error
}
