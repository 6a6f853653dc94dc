package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"steno/messages"
)

// Scopes is a set of what a key or a token allows.
type Scopes uint8

// The scopes.
const (
	ScopeLive  Scopes = 1 << iota // open live sessions, feed and delete them
	ScopeJobs                     // have recorded files transcribed, and delete their jobs
	ScopeRead                     // read records, files and events
	ScopeAdmin                    // read the state of the server, and all tokens of the account
)

// ScopeSignIn is of tokens alone: a person has signed in with the key, and may do all that the
// other scopes allow as if with the key itself. It has no name, so that no request can ask for it.
const ScopeSignIn Scopes = 1 << 7

// ScopeAudio is of tokens alone: one that may only read the sessions that it is for by name may
// have their audio too. It has no name either.
const ScopeAudio Scopes = 1 << 6

// AllScopes is what a key without scopes of its own allows.
const AllScopes = ScopeLive | ScopeJobs | ScopeRead | ScopeAdmin

// scopeNames are the names of the scopes, in the order of their bits.
var scopeNames = []string{"live", "jobs", "read", "admin"}

// ParseScopes returns the set of the scopes of those names. The error tells which name is none.
func ParseScopes(names []string) (Scopes, error) {
	var set Scopes
next:
	for _, name := range names {
		for i, known := range scopeNames {
			if name == known {
				set |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("scope %q is none of %s", name, strings.Join(scopeNames, ", "))
	}
	return set, nil
}

// Has tells whether the set holds all of the scopes given.
func (s Scopes) Has(all Scopes) bool { return s&all == all }

// Names returns the names of the scopes, in the order in which they are declared.
func (s Scopes) Names() []string {
	names := []string{}
	for i, name := range scopeNames {
		if s.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names with commas between.
func (s Scopes) String() string { return strings.Join(s.Names(), ",") }

// Keys is the list of API keys. A key itself is never kept, only its SHA-256 hash.
type Keys interface {
	// AddKey keeps a key. Errors: ErrExists, ErrInvalid (a hash that is not 32 bytes, an empty
	// account).
	AddKey(ctx context.Context, k Key) error
	// Key returns the key of a hash, whether or not it has expired. Errors: ErrNotFound.
	Key(ctx context.Context, hash []byte) (Key, error)
	// ListKeys returns all keys, expired ones as well, oldest first.
	ListKeys(ctx context.Context) ([]Key, error)
	// RemoveKey removes a key and the tokens that were made with it, with immediate effect. Errors:
	// ErrNotFound.
	RemoveKey(ctx context.Context, hash []byte) error
	// EndKey sets when a key ends; the zero time: never. Sessions that it has opened continue
	// after that. Errors: ErrNotFound.
	EndKey(ctx context.Context, hash []byte, at time.Time) error
	// HasKeys tells whether there is any key.
	HasKeys(ctx context.Context) (bool, error)
}

// HashDigits is how many hexadecimal digits of a hash tell keys, or secrets, apart in lists and
// logs.
const HashDigits = 12

// ShortHash is what lists and logs have of a hash.
func ShortHash(hash []byte) string { return hex.EncodeToString(hash)[:HashDigits] }

// Key is an API key as it is kept.
type Key struct {
	Hash      []byte // SHA-256 of the key
	Account   string
	Name      string // the owner's words for it
	CreatedAt time.Time
	// Scopes is what the key allows. Keys of earlier versions are read back with AllScopes; AddKey
	// takes 0 for them.
	Scopes Scopes
	// ExpiresAt is when the key ends, UTC, cut to milliseconds; zero for a key that does not.
	ExpiresAt time.Time
	// Outlived means that sessions which the key has opened continue after its end: another key has
	// taken its place. AddKey does not look at it, EndKey sets it.
	Outlived bool
}

// Expired tells whether the key has ended.
func (k *Key) Expired(now time.Time) bool { return !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt) }

// MaxTokens bounds the tokens of one key that have not expired.
const MaxTokens = 10_000

// Tokens is the list of tokens: short-lived credentials that a key makes for clients which must not
// have the key. Neither tokens nor tickets are kept, only their SHA-256 hashes. What has expired,
// by the store's clock, is not found, and is forgotten when something is added.
type Tokens interface {
	// AddToken keeps a token. It does not ask whether there is a key of that hash: those of a
	// configuration are not in the store. Errors: ErrExists (id or hash), ErrInvalid, ErrTooLarge
	// (the key has MaxTokens).
	AddToken(ctx context.Context, t Token) error
	// Token returns the token of a hash. Errors: ErrNotFound.
	Token(ctx context.Context, hash []byte) (Token, error)
	// ListTokens returns the tokens of an account, oldest first.
	ListTokens(ctx context.Context, account string) ([]Token, error)
	// MissingTokens returns those of the hashes that no token has. It is how a node notices that
	// tokens were removed.
	MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error)
	// RemoveToken removes an account's token, with immediate effect. Errors: ErrNotFound.
	RemoveToken(ctx context.Context, account, id string) error

	// AddTicket keeps a ticket. Errors: ErrExists, ErrInvalid, ErrTooLarge (the credential has
	// MaxTickets).
	AddTicket(ctx context.Context, t Ticket) error
	// UseTicket returns the ticket of a hash and forgets it: of all who ask for it, on whatever
	// node, one gets it. Errors: ErrNotFound.
	UseTicket(ctx context.Context, hash []byte) (Ticket, error)
}

// Token is a token as it is kept.
type Token struct {
	// ID names the token to its owner: 2 to 64 characters of a-z, 0-9 and hyphen, unique over all
	// accounts.
	ID      string
	Hash    []byte // SHA-256 of the token
	Account string // that of its key
	Key     []byte // SHA-256 of the API key that made it and with which it ends
	Name    string // the owner's words for it
	// Scopes is what the token allows, never none.
	Scopes Scopes
	// Kinds are the kinds of events that the token shows; 0: all.
	Kinds messages.Filter
	// Sessions are the ids of those that the token is for; nil: all of the account.
	Sessions  []string
	CreatedAt time.Time // UTC, cut to milliseconds, as ExpiresAt
	// ExpiresAt is by the clock of who adds the token, and of who asks for it by its hash; lists
	// have it as it was added.
	ExpiresAt time.Time
}

// MaxTickets bounds the tickets of one credential that were not used and have not expired.
const MaxTickets = 1000

// Ticket stands for a key or a token in a URL, once.
type Ticket struct {
	Hash       []byte // SHA-256 of the ticket
	Credential []byte // SHA-256 of the key or token that it stands for
	ExpiresAt  time.Time
}

// Secrets is the list of what callbacks are signed with. An account has several for as long as its
// receivers change from one to the next.
type Secrets interface {
	// AddSecret makes a secret the newest of its account. Where there would be more than MaxSecrets
	// the oldest go. Errors: ErrExists (the account has it), ErrInvalid (an empty account or text;
	// a colon in the account's name).
	AddSecret(ctx context.Context, s Secret) error
	// Secrets returns an account's secrets, newest first; those of all accounts, one after another,
	// where it is empty.
	Secrets(ctx context.Context, account string) ([]Secret, error)
	// RemoveSecret removes a secret, with immediate effect. Errors: ErrNotFound.
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
