package seal

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// ErrMaster means that no master key that is known opens what it was wrapped with.
var ErrMaster = errors.New("the master key is another one")

// Master wraps data keys. Its methods may be called from any goroutine.
type Master interface {
	// Wrap encrypts a data key. about is bound to it.
	Wrap(ctx context.Context, key, about []byte) ([]byte, error)
	// Unwrap decrypts a data key. Errors: ErrMaster.
	Unwrap(ctx context.Context, wrapped, about []byte) ([]byte, error)
}

// keySize is the length of master keys and data keys, in bytes.
const keySize = 32

// localMaster is a master key in memory.
type localMaster struct {
	id   [8]byte // names it among others
	aead cipher.AEAD
}

// NewMaster returns the master key of a text: the Base64 of 32 bytes, with space around it.
func NewMaster(text []byte) (Master, error) {
	key, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != keySize {
		return nil, errors.New("a master key is the Base64 of 32 bytes, as of openssl rand -base64 32")
	}
	sum := sha256.Sum256(append([]byte("steno master key "), key...))
	aead, err := newAEAD(key)
	return &localMaster{[8]byte(sum[:8]), aead}, err
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Wrap implements Master: id of the master key, nonce, and what AES-256-GCM makes of the key.
func (m *localMaster) Wrap(_ context.Context, key, about []byte) ([]byte, error) {
	wrapped := append(m.id[:len(m.id):len(m.id)], make([]byte, m.aead.NonceSize())...)
	_, _ = rand.Read(wrapped[len(m.id):]) // never fails
	return m.aead.Seal(wrapped, wrapped[len(m.id):], key, about), nil
}

// Unwrap implements Master.
func (m *localMaster) Unwrap(_ context.Context, wrapped, about []byte) ([]byte, error) {
	if len(wrapped) < len(m.id)+m.aead.NonceSize() || [8]byte(wrapped[:8]) != m.id {
		return nil, ErrMaster
	}
	rest := wrapped[len(m.id):]
	key, err := m.aead.Open(nil, rest[:m.aead.NonceSize()], rest[m.aead.NonceSize():], about)
	if err != nil {
		return nil, ErrMaster
	}
	return key, nil
}

const (
	commandTime  = 20 * time.Second
	commandBytes = 64 << 10 // of its answer
)

// Command is a program that has the master key: it is called with wrap or unwrap after its own
// arguments, reads a key from its standard input, and writes the other form of it to its standard
// output. It has 20 s, and 64 KiB for its answer.
type Command []string

// Wrap implements Master.
func (c Command) Wrap(ctx context.Context, key, _ []byte) ([]byte, error) {
	return c.run(ctx, "wrap", key)
}

// Unwrap implements Master.
func (c Command) Unwrap(ctx context.Context, wrapped, _ []byte) ([]byte, error) {
	key, err := c.run(ctx, "unwrap", wrapped)
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("%w: the command answers %d bytes, not %d", ErrMaster, len(key), keySize)
	}
	return key, err
}

func (c Command) run(ctx context.Context, what string, in []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c[0], append(append([]string{}, c[1:]...), what)...)
	var out answer
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = bytes.NewReader(in), &out, time.Second
	err := cmd.Run()
	switch {
	case out.tooLong: // the program ends by the closed pipe, in whichever way
		err = errTooLong
	case err == nil && len(out.bytes) == 0:
		err = errors.New("it has answered nothing")
	}
	if err != nil {
		return nil, fmt.Errorf("command of the master key: %s: %w", what, err)
	}
	return out.bytes, nil
}

var errTooLong = errors.New("its answer is too long")

// answer is what a command has written, as long as it may be.
type answer struct {
	bytes   []byte
	tooLong bool
}

func (a *answer) Write(p []byte) (int, error) {
	if len(a.bytes)+len(p) > commandBytes {
		a.tooLong = true
		return 0, errTooLong
	}
	a.bytes = append(a.bytes, p...)
	return len(p), nil
}
