package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"steno/cmd/steno/config"
	"steno/cmd/steno/stores"
	"steno/gateway"
	"steno/session/store"
)

// checkAccount refuses the name of an account that no key can have.
func checkAccount(name string) error {
	if !store.IsAccount(name) {
		return errors.New("the name of an account has up to 64 letters, digits, dots, hyphens and underscores")
	}
	return nil
}

// apiKeys are those of the environment and of the configuration file. Where there are none and the
// store has none either, one is made, kept as its hash, and printed: this once. made is its text.
func apiKeys(ctx context.Context, keys store.Keys, c config.Config, p *process) (list []gateway.Key, made string,
	err error) {
	if list, err = c.APIKeys(p.environ); err != nil || len(list) > 0 {
		return list, "", err
	}
	has, err := keys.HasKeys(ctx)
	if err != nil || has {
		return nil, "", err
	}
	made, err = newKey(ctx, keys, store.Key{Account: gateway.DefaultAccount, Name: "first start"})
	if err == nil {
		fmt.Fprintf(p.stdout, "No API key was set, so one was made. It is shown only now: %s\n", made)
	}
	return nil, made, err
}

// newKey makes a key of those properties and keeps its hash.
func newKey(ctx context.Context, keys store.Keys, k store.Key) (string, error) {
	key := rand.Text()
	hash := sha256.Sum256([]byte(key))
	k.Hash, k.CreatedAt = hash[:], time.Now()
	if err := keys.AddKey(ctx, k); err != nil {
		return "", fmt.Errorf("keep API key: %w", err)
	}
	return key, nil
}

// keysCmd manages the keys of the store, whether or not a gateway is using it.
type keysCmd struct {
	Add           keysAddCmd           `cmd:"" help:"Make a key and print it, this once."`
	List          keysListCmd          `cmd:"" help:"List the store's keys: the beginning of the hash, account, name, date, scopes, end."`
	RotateMaster  keysRotateMasterCmd  `cmd:"" help:"Put keys of accounts under the configured master key."`
	RotateAccount keysRotateAccountCmd `cmd:"" help:"Make another key for an account's data."`
	ForgetAccount keysForgetAccountCmd `cmd:"" help:"Forget the keys of an account's data: it is lost."`

	Remove keysRemoveCmd `cmd:"" aliases:"revoke" help:"Forget a key at once, and end its tokens and the live sessions that it made."`
}

// keyFolder specifies where the keys are.
type keyFolder struct{ storePlace }

// open opens the keys of the configured store.
func (f keyFolder) open(ctx context.Context, p *process) (stores.Keys, error) {
	cfg, err := f.existing(p.environ)
	if err != nil {
		return nil, err
	}
	return stores.OpenKeys(ctx, cfg)
}

// make opens them too, and makes a data folder that is not there yet, as the first start of a
// gateway does.
func (f keyFolder) make(ctx context.Context, p *process) (stores.Keys, error) {
	cfg, err := f.lasting(p.environ, p.stderr, "key")
	if err != nil {
		return nil, err
	}
	return stores.OpenKeys(ctx, cfg)
}

type keysAddCmd struct {
	keyFolder
	Name    string   `arg:"" optional:"" help:"What the key is for."`
	Account string   `default:"default" help:"Whose records it opens."`
	Scope   []string `help:"What it allows, any of live, jobs, read and admin with commas between. Without, all." placeholder:"SCOPES"`
	Expires string   `help:"When it ends: after a time such as 12h or 30d, or on a date. Without, never." placeholder:"WHEN"`
}

// Run prints the key alone, so that it can be piped.
func (c keysAddCmd) Run(ctx context.Context, p *process) (err error) {
	if err := checkAccount(c.Account); err != nil {
		return err
	}
	scopes, err := store.ParseScopes(c.Scope)
	if err != nil {
		return err
	}
	expires, err := parseExpiry(c.Expires, time.Now())
	if err != nil {
		return err
	}
	keys, err := c.make(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "keys", keys)
	key, err := newKey(ctx, keys, store.Key{Account: c.Account, Name: c.Name, Scopes: scopes, ExpiresAt: expires})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, key)
	return err
}

// parseExpiry reads when a key ends: days or a duration from now on, or a date or time. Empty is
// the zero time.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil && at.After(now) {
			return at, nil
		}
	}
	if days, found := strings.CutSuffix(text, "d"); found {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 100_000 {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.Add(d), nil
	}
	return time.Time{}, fmt.Errorf("--expires must be a time to come such as 12h, 30d or 2030-12-31, not %q", text)
}

type keysListCmd struct{ keyFolder }

// Run prints one line a key. Keys that a gateway has from elsewhere are not known here.
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
		fmt.Fprintf(p.stdout, "%s  %-12s %-20s %s  %-20s %s\n",
			store.ShortHash(k.Hash), k.Account, k.Name, k.CreatedAt.UTC().Format(time.DateTime),
			k.Scopes, lifetime(k))
	}
	if err == nil {
		fmt.Fprintln(p.stderr, notListed)
	}
	return err
}

// notListed states which keys of gateways are in no list: the store does not have them.
const notListed = "keys of STENO_API_KEYS and of the configuration are not listed"

// lifetime tells when a key ends.
func lifetime(k store.Key) string {
	switch {
	case k.ExpiresAt.IsZero():
		return "does not expire"
	case k.Expired(time.Now()):
		return "expired " + k.ExpiresAt.Format(time.DateTime)
	}
	return "until " + k.ExpiresAt.Format(time.DateTime)
}

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
