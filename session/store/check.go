package store

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"steno/messages"
)

// CheckRecord refuses a record that Create cannot keep, and fills in the empty objects. Errors:
// ErrInvalid, ErrTooLarge.
func CheckRecord(r *Record) error {
	if err := CheckID(r.ID); err != nil {
		return err
	}
	if r.Account == "" {
		return fmt.Errorf("account: %w", ErrInvalid)
	}
	if len(r.Key) != 0 && len(r.Key) != sha256.Size {
		return fmt.Errorf("key: %w", ErrInvalid)
	}
	if r.Kind != messages.JobLive && r.Kind != messages.JobPreRecorded {
		return fmt.Errorf("kind: %w", ErrInvalid)
	}
	switch r.Status {
	case messages.StatusQueued, messages.StatusProcessing, messages.StatusDone, messages.StatusError:
	default:
		return fmt.Errorf("status: %w", ErrInvalid)
	}
	if r.PostSessionMetadata == nil {
		r.PostSessionMetadata = json.RawMessage("{}")
	}
	if r.Params == nil {
		r.Params = json.RawMessage("{}")
	}
	if !json.Valid(r.Params) || r.Languages != nil && !json.Valid(r.Languages) ||
		r.Warnings != nil && !json.Valid(r.Warnings) {
		return fmt.Errorf("parameters: %w", ErrInvalid)
	}
	if len(r.CustomMetadata) > MaxMetadata {
		return fmt.Errorf("custom metadata: %w", ErrTooLarge)
	}
	return CheckMetadata(r.PostSessionMetadata)
}

// CheckMetadata refuses what cannot be kept as post-session metadata. Errors: ErrInvalid (no JSON
// object), ErrTooLarge.
func CheckMetadata(object json.RawMessage) error {
	var o map[string]json.RawMessage
	if json.Unmarshal(object, &o) != nil || o == nil {
		return fmt.Errorf("post-session metadata: %w", ErrInvalid)
	}
	if len(object) > MaxKeptMetadata {
		return fmt.Errorf("post-session metadata: %w", ErrTooLarge)
	}
	return nil
}

// CheckUpload refuses an upload that Commit cannot keep. Errors: ErrInvalid.
func CheckUpload(u Upload) error {
	if u.Account == "" {
		return fmt.Errorf("account: %w", ErrInvalid)
	}
	if len(u.Key) != 0 && len(u.Key) != sha256.Size {
		return fmt.Errorf("key: %w", ErrInvalid)
	}
	return nil
}

// CheckID refuses what is no id of a record, upload or token. Errors: ErrInvalid.
func CheckID(id string) error {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if len(id) < 2 || len(id) > 64 || strings.Trim(id, letters) != "" {
		return fmt.Errorf("id: %w", ErrInvalid)
	}
	return nil
}

// CheckSecret refuses what AddSecret cannot keep. A colon would make one account's name stand for
// another's times. Errors: ErrInvalid.
func CheckSecret(s Secret) error {
	if s.Account == "" || s.Text == "" || strings.Contains(s.Account, ":") {
		return fmt.Errorf("secret: %w", ErrInvalid)
	}
	return nil
}

// CheckToken refuses what AddToken cannot keep. Errors: ErrInvalid.
func CheckToken(t Token) error {
	if err := CheckID(t.ID); err != nil {
		return err
	}
	if len(t.Hash) != sha256.Size || len(t.Key) != sha256.Size || t.Account == "" || t.ExpiresAt.IsZero() ||
		t.Scopes == 0 || t.Scopes&^(AllScopes|ScopeSignIn|ScopeAudio) != 0 || t.Sessions != nil &&
		len(t.Sessions) == 0 {
		return ErrInvalid
	}
	return nil
}
