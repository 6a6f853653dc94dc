// Package seal encrypts what a store keeps: events, checkpoints, notes, results, callbacks,
// secrets, recordings and uploads, with AES-256-GCM and keys of the accounts, which are wrapped
// under a master key. [Store] is a store that does so with another one. What was kept before in the
// clear stays readable.
//
// Ring.mu guards the keys in memory and is held while they are read from the store; journal.mu is
// held over each append of a session. There is no goroutine.
package seal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"steno/session/store"
)

// magic begins what is sealed: nothing in the clear does.
var magic = []byte{0, 's', 'z', 1}

const (
	nonceSize = 12
	tagSize   = 16
	// recheck is how long keys are used that another process may have forgotten.
	recheck = time.Minute
)

// Ring has the keys of accounts. Its methods may be called from any goroutine.
type Ring struct {
	store   store.DataKeys
	masters []Master // the first one wraps

	mu       sync.Mutex
	accounts map[string]*accountKeys
}

// accountKeys are the keys of an account.
type accountKeys struct {
	read   time.Time
	keys   map[uint32]cipher.AEAD
	newest uint32 // that data is sealed with; 0: none
	last   uint32 // number given last
	first  uint32 // of keys; 0: none
	index  []byte // key of marks of metadata, of the first
}

// NewRing returns the ring of a store's data keys. Previous master keys unwrap alone. It checks
// that all keys can be unwrapped: of each kind of wrapping one. Errors: ErrMaster.
func NewRing(ctx context.Context, s store.DataKeys, master Master, previous ...Master) (*Ring, error) {
	r := &Ring{store: s, masters: append([]Master{master}, previous...), accounts: map[string]*accountKeys{}}
	all, err := s.DataKeys(ctx, "")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, k := range all {
		kind := string(k.Wrapped[:min(8, len(k.Wrapped))])
		if _, command := master.(Command); command {
			kind = "command"
		}
		if len(k.Wrapped) == 0 || seen[kind] {
			continue
		}
		seen[kind] = true
		if _, err := r.unwrap(ctx, k); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// about is what a data key is bound to.
func about(k store.DataKey) []byte { return []byte(k.Account + "\x00" + strconv.Itoa(k.Number)) }

func (r *Ring) unwrap(ctx context.Context, k store.DataKey) (key []byte, err error) {
	var first error
	for _, m := range r.masters {
		if key, err = m.Unwrap(ctx, k.Wrapped, about(k)); err == nil {
			return key, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, fmt.Errorf("open the key of account %s: %w", k.Account, first)
}

// of returns the keys of an account. It is called with mu held.
func (r *Ring) of(ctx context.Context, account string, fresh bool) (*accountKeys, error) {
	known := r.accounts[account]
	if known != nil && !fresh && time.Since(known.read) < recheck {
		return known, nil
	}
	list, err := r.store.DataKeys(ctx, account)
	if errors.Is(err, store.ErrAway) && known != nil {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	a := &accountKeys{read: time.Now(), keys: map[uint32]cipher.AEAD{}}
	for _, k := range list {
		n := uint32(k.Number)
		a.last = n
		if len(k.Wrapped) == 0 {
			continue
		}
		if known != nil && known.keys[n] != nil && (a.first != 0 || known.first == n) {
			a.keys[n], a.newest = known.keys[n], n
			if a.first == 0 {
				a.first, a.index = n, known.index
			}
			continue
		}
		key, err := r.unwrap(ctx, k)
		if err != nil {
			return nil, err
		}
		if a.keys[n], err = newAEAD(key); err != nil {
			return nil, err
		}
		a.newest = n
		if a.first == 0 {
			a.first, a.index = n, indexKey(key)
		}
	}
	r.accounts[account] = a
	return a, nil
}

// current returns the key that data of an account is sealed with; it is made where there is none.
func (r *Ring) current(ctx context.Context, account string) (cipher.AEAD, uint32, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, err := r.of(ctx, account, false)
	if err == nil && a.newest == 0 {
		a, err = r.add(ctx, account)
	}
	if err != nil {
		return nil, 0, err
	}
	return a.keys[a.newest], a.newest, nil
}

// add makes a key for an account. Another process may make one at the same time: it counts then. It
// is called with mu held.
func (r *Ring) add(ctx context.Context, account string) (*accountKeys, error) {
	a, err := r.of(ctx, account, true)
	if err != nil {
		return nil, err
	}
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	k := store.DataKey{Account: account, Number: int(a.last) + 1, CreatedAt: time.Now()}
	if k.Wrapped, err = r.masters[0].Wrap(ctx, key, about(k)); err != nil {
		return nil, err
	}
	if err := r.store.AddDataKey(ctx, k); err != nil && !errors.Is(err, store.ErrExists) {
		return nil, err
	}
	return r.of(ctx, account, true)
}

// Rotate makes another key for an account: what is kept from now on is sealed with it.
func (r *Ring) Rotate(ctx context.Context, account string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.add(ctx, account)
	return err
}

// RotateMaster wraps all keys under the first of the master keys, and returns how many there are.
func (r *Ring) RotateMaster(ctx context.Context) (n int, err error) {
	all, err := r.store.DataKeys(ctx, "")
	if err != nil {
		return 0, err
	}
	for _, k := range all {
		if len(k.Wrapped) == 0 {
			continue
		}
		key, err := r.unwrap(ctx, k)
		if err == nil {
			k.Wrapped, err = r.masters[0].Wrap(ctx, key, about(k))
		}
		if err == nil {
			err = r.store.WrapDataKey(ctx, k)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return n, fmt.Errorf("wrap the key of account %s: %w", k.Account, err)
		}
		n++
	}
	return n, nil
}

// Forget forgets all keys of an account: nothing that was sealed with them can be read any more.
// Other processes that have them in memory forget them within a minute.
func (r *Ring) Forget(ctx context.Context, account string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.store.ForgetDataKeys(ctx, account)
	delete(r.accounts, account)
	return err
}

// Seal encrypts p for an account. What it is about is bound to it.
func (r *Ring) Seal(ctx context.Context, account, about string, p []byte) ([]byte, error) {
	aead, number, err := r.current(ctx, account)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	head := len(magic) + 4
	out := make([]byte, head+nonceSize, head+nonceSize+len(p)+tagSize)
	copy(out, magic)
	binary.BigEndian.PutUint32(out[len(magic):], number)
	_, _ = rand.Read(out[head:]) // never fails
	return aead.Seal(out, out[head:], p, []byte(about)), nil
}

// Open decrypts what Seal has made; what is in the clear stays as it is. Errors: store.ErrErased
// where the key was forgotten, store.ErrDamaged.
func (r *Ring) Open(ctx context.Context, account, about string, p []byte) ([]byte, error) {
	if !bytes.HasPrefix(p, magic) {
		return p, nil
	}
	head := len(magic) + 4
	if len(p) < head+nonceSize+tagSize {
		return nil, fmt.Errorf("open %q: %w", about, store.ErrDamaged)
	}
	aead, err := r.key(ctx, account, binary.BigEndian.Uint32(p[len(magic):]))
	if err != nil {
		return nil, err
	}
	out, err := aead.Open(nil, p[head:head+nonceSize], p[head+nonceSize:], []byte(about))
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", about, store.ErrDamaged)
	}
	if out == nil {
		out = []byte{}
	}
	return out, nil
}

// key returns a key of an account. Errors: store.ErrErased.
func (r *Ring) key(ctx context.Context, account string, number uint32) (cipher.AEAD, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, err := r.of(ctx, account, false)
	if err == nil && a.keys[number] == nil && number > a.last {
		a, err = r.of(ctx, account, true)
	}
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	if a.keys[number] == nil {
		return nil, fmt.Errorf("the key of account %s was forgotten: what it had %w", account, store.ErrErased)
	}
	return a.keys[number], nil
}

// textMark begins a text that is sealed.
const textMark = "sealed:"

// sealText is Seal of a text that stays one.
func (r *Ring) sealText(ctx context.Context, account, about, text string) (string, error) {
	p, err := r.Seal(ctx, account, about, []byte(text))
	return textMark + base64.StdEncoding.EncodeToString(p), err
}

// openText is Open of what sealText has made.
func (r *Ring) openText(ctx context.Context, account, about, text string) (string, error) {
	rest, sealed := strings.CutPrefix(text, textMark)
	if !sealed {
		return text, nil
	}
	p, err := base64.StdEncoding.DecodeString(rest)
	if err != nil {
		return text, nil // nothing that was sealed
	}
	p, err = r.Open(ctx, account, about, p)
	return string(p), err
}
