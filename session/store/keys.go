package store

import (
	"context"
	"time"
)

// Keys is the list of API keys. A key itself is never kept, only its SHA-256 hash.
type Keys interface {
	// AddKey keeps a key. Errors: ErrExists, ErrInvalid (a hash that is not 32 bytes, an empty account).
	AddKey(ctx context.Context, k Key) error
	// KeyAccount returns the account a key belongs to. Errors: ErrNotFound.
	KeyAccount(ctx context.Context, hash []byte) (string, error)
	// ListKeys returns all keys, oldest first.
	ListKeys(ctx context.Context) ([]Key, error)
	// RemoveKey forgets a key at once. Errors: ErrNotFound.
	RemoveKey(ctx context.Context, hash []byte) error
	// HasKeys tells whether there is any key.
	HasKeys(ctx context.Context) (bool, error)
}

// Key is an API key as it is kept.
type Key struct {
	Hash      []byte // SHA-256 of the key
	Account   string
	Name      string // the owner's words for it
	CreatedAt time.Time
}

// Secrets is the list of what callbacks are signed with. An account has several for as long as its receivers change from
// one to the next.
type Secrets interface {
	// AddSecret makes a secret the newest of its account. Where there would be more than MaxSecrets the oldest go.
	// Errors: ErrExists (the account has it), ErrInvalid (an empty account or text).
	AddSecret(ctx context.Context, s Secret) error
	// Secrets returns an account's secrets, newest first; those of all accounts, one after another, where it is empty.
	Secrets(ctx context.Context, account string) ([]Secret, error)
	// RemoveSecret forgets a secret at once. Errors: ErrNotFound.
	RemoveSecret(ctx context.Context, account, text string) error
}

// MaxSecrets bounds the secrets an account has at a time.
const MaxSecrets = 2

// Secret signs an account's callbacks.
type Secret struct {
	Account   string
	Text      string // as Standard Webhooks has it: "whsec_…"
	CreatedAt time.Time
}
