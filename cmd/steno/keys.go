package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"steno/gateway"
	"steno/session/store"
	"steno/session/store/embedded"
)

// The lengths that keys of the environment may have, in bytes. Those that steno makes have 26, of 130 random bits.
const (
	shortestKey = 16
	longestKey  = 512
)

// accountForm is what the name of an account looks like.
var accountForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// environmentKeys are those of STENO_API_KEYS: keys, or accounts and keys with a colon between. Errors never hold a key.
func environmentKeys(environ []string, allowShort bool) ([]gateway.Key, error) {
	text, _ := lookup(environ, "STENO_API_KEYS")
	var keys []gateway.Key
	for i, part := range splitList(text) {
		k := gateway.Key{Account: gateway.DefaultAccount, Text: part}
		if account, key, found := strings.Cut(part, ":"); found {
			k = gateway.Key{Account: account, Text: key}
		}
		switch n := len(k.Text); {
		case !accountForm.MatchString(k.Account):
			return nil, fmt.Errorf("STENO_API_KEYS: what stands before the colon of entry %d must be an account's name: up to 64 letters, digits, dots, hyphens and underscores", i+1)
		case n == 0 || n > longestKey:
			return nil, fmt.Errorf("STENO_API_KEYS: the key of entry %d has %d characters, up to %d are allowed", i+1, n, longestKey)
		case n < shortestKey && !allowShort:
			return nil, fmt.Errorf("STENO_API_KEYS: the key of entry %d has %d characters, at least %d are needed (--allow-private takes shorter ones)", i+1, n, shortestKey)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// apiKeys are those of the environment. Where there are none and the store has none either, one is made, kept as its
// hash, and printed: this once.
func apiKeys(ctx context.Context, keys store.Keys, allowShort bool, p *process) ([]gateway.Key, error) {
	list, err := environmentKeys(p.environ, allowShort)
	if err != nil || len(list) > 0 {
		return list, err
	}
	has, err := keys.HasKeys(ctx)
	if err != nil || has {
		return nil, err
	}
	key, err := newKey(ctx, keys, gateway.DefaultAccount, "first start")
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p.stdout, "No API key was set, so one was made. It is shown only now: %s\n", key)
	return nil, nil
}

// newKey makes a key and keeps its hash.
func newKey(ctx context.Context, keys store.Keys, account, name string) (string, error) {
	key := rand.Text()
	hash := sha256.Sum256([]byte(key))
	err := keys.AddKey(ctx, store.Key{Hash: hash[:], Account: account, Name: name, CreatedAt: time.Now()})
	if err != nil {
		return "", fmt.Errorf("keep API key: %w", err)
	}
	return key, nil
}

// keysCmd manages the keys in the data folder, whether or not a gateway is using it.
type keysCmd struct {
	Add    keysAddCmd    `cmd:"" help:"Make a key and print it, this once."`
	List   keysListCmd   `cmd:"" help:"List keys: the beginning of the hash, account, name, date."`
	Remove keysRemoveCmd `cmd:"" aliases:"revoke" help:"Forget a key at once, and end the live sessions that it made."`
}

// keyFolder says where the keys are.
type keyFolder struct {
	Config string `help:"Configuration file." placeholder:"FILE"`
	Data   string `help:"Folder of database and recordings." placeholder:"DIR"`
}

// open opens the keys of the configured folder.
func (f keyFolder) open(ctx context.Context, p *process) (*embedded.Keyring, error) {
	cfg, err := loadConfig(f.Config, p.environ)
	if err != nil {
		return nil, err
	}
	if f.Data != "" {
		cfg.Data = f.Data
	}
	return embedded.OpenKeys(ctx, cfg.Data)
}

type keysAddCmd struct {
	keyFolder
	Name    string `arg:"" optional:"" help:"What the key is for."`
	Account string `default:"default" help:"Whose records it opens."`
}

// Run prints the key alone, so that it can be piped.
func (c keysAddCmd) Run(ctx context.Context, p *process) (err error) {
	keys, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "keys", keys)
	key, err := newKey(ctx, keys, c.Account, c.Name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, key)
	return err
}

type keysListCmd struct{ keyFolder }

// Run prints one line a key.
func (c keysListCmd) Run(ctx context.Context, p *process) (err error) {
	keys, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "keys", keys)
	list, err := keys.ListKeys(ctx)
	if err == nil && len(list) == 0 {
		fmt.Fprintln(p.stdout, "none")
	}
	for _, k := range list {
		fmt.Fprintf(p.stdout, "%s  %-12s %-20s %s\n",
			hex.EncodeToString(k.Hash)[:hashDigits], k.Account, k.Name, k.CreatedAt.UTC().Format(time.DateTime))
	}
	return err
}

// hashDigits is how much of a hash is shown: enough to tell keys apart.
const hashDigits = 12

// shortestPrefix is how much of a hash has to be given to name one.
const shortestPrefix = 6

type keysRemoveCmd struct {
	keyFolder
	Key string `arg:"" help:"The key itself, or the beginning of its hash as listed."`
}

// Run removes the one key that is meant.
func (c keysRemoveCmd) Run(ctx context.Context, p *process) (err error) {
	keys, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "keys", keys)
	list, err := keys.ListKeys(ctx)
	if err != nil {
		return err
	}
	hash, err := meant(list, c.Key)
	if err != nil {
		return err
	}
	return keys.RemoveKey(ctx, hash)
}

// meant finds the one key that a text names.
func meant(list []store.Key, text string) ([]byte, error) {
	whole := sha256.Sum256([]byte(text))
	var found [][]byte
	for _, k := range list {
		byPrefix := len(text) >= shortestPrefix && strings.HasPrefix(hex.EncodeToString(k.Hash), strings.ToLower(text))
		if bytes.Equal(k.Hash, whole[:]) || byPrefix {
			found = append(found, k.Hash)
		}
	}
	switch len(found) {
	case 0:
		return nil, errors.New("no such key")
	case 1:
		return found[0], nil
	default:
		return nil, errors.New("several keys begin like this: give more of the hash")
	}
}
