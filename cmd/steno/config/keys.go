package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"steno/gateway"
	"steno/gateway/web"
	"steno/session/store"
)

// The lengths that keys of the environment may have, in bytes. Those that steno makes have 26, of
// 130 random bits.
const (
	shortestKey = 16
	longestKey  = 512
)

// ConfiguredKey is an API key of the configuration file. Exactly one of the first three is set.
type ConfiguredKey struct {
	Key     string    `yaml:"key"`
	KeyEnv  string    `yaml:"key_env"`
	Hash    string    `yaml:"hash"`
	Account string    `yaml:"account"`
	Scopes  []string  `yaml:"scopes"`
	Expires time.Time `yaml:"expires"`
}

// environmentKeys are those of STENO_API_KEYS: keys, or accounts and keys with a colon between.
func environmentKeys(environ []string, allowShort bool) ([]gateway.Key, error) {
	text, _ := Lookup(environ, "STENO_API_KEYS")
	var keys []gateway.Key
	for i, part := range splitList(text) {
		k := gateway.Key{Account: gateway.DefaultAccount, Text: part}
		if account, key, found := strings.Cut(part, ":"); found {
			k = gateway.Key{Account: account, Text: key}
		}
		if !store.IsAccount(k.Account) {
			return nil, fmt.Errorf("STENO_API_KEYS: what stands before the colon of entry %d must be an account's "+
				"name: up to 64 letters, digits, dots, hyphens and underscores", i+1)
		}
		if err := checkKeyLength(len(k.Text), allowShort); err != nil {
			return nil, fmt.Errorf("STENO_API_KEYS: entry %d: %w", i+1, err)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// APIKeys returns the keys of STENO_API_KEYS, then those of the configuration file. Errors never
// hold a key.
func (c Config) APIKeys(environ []string) ([]gateway.Key, error) {
	keys, err := environmentKeys(environ, c.AllowPrivate)
	if err != nil {
		return nil, err
	}
	configured, err := c.configuredKeys(environ)
	return append(keys, configured...), err
}

// configuredKeys are the keys of the configuration file.
func (c Config) configuredKeys(environ []string) ([]gateway.Key, error) {
	var keys []gateway.Key
	for _, name := range slices.Sorted(maps.Keys(c.Keys)) {
		key, err := c.Keys[name].resolve(environ, c.AllowPrivate)
		if err != nil {
			return nil, fmt.Errorf("keys.%s: %w", name, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func (k ConfiguredKey) resolve(environ []string, allowShort bool) (gateway.Key, error) {
	scopes, err := store.ParseScopes(k.Scopes)
	if err != nil {
		return gateway.Key{}, err
	}
	key := gateway.Key{Account: k.Account, Text: k.Key, Scopes: scopes, Expires: k.Expires}
	if k.KeyEnv != "" {
		key.Text, _ = Lookup(environ, k.KeyEnv)
	}
	switch {
	case k.Account != "" && !store.IsAccount(k.Account):
		return key, errors.New("account must be up to 64 letters, digits, dots, hyphens and underscores")
	case given(k.Key)+given(k.KeyEnv)+given(k.Hash) != 1:
		return key, errors.New("exactly one of key, key_env and hash must be given")
	case k.Hash != "":
		hash, err := hex.DecodeString(k.Hash)
		if err != nil || len(hash) != len(key.Hash) {
			return key, errors.New("hash must be the SHA-256 of the key as 64 hexadecimal digits")
		}
		key.Hash = web.KeyHash(hash)
		return key, nil
	}
	return key, checkKeyLength(len(key.Text), allowShort)
}

// given counts a text that is there.
func given(text string) int {
	if text == "" {
		return 0
	}
	return 1
}

// checkKeyLength refuses keys that could be guessed, and those that are no keys.
func checkKeyLength(n int, allowShort bool) error {
	switch {
	case n == 0 || n > longestKey:
		return fmt.Errorf("the key has %d characters, up to %d are allowed", n, longestKey)
	case n < shortestKey && !allowShort:
		return fmt.Errorf("the key has %d characters, at least %d are needed (--allow-private takes shorter ones)", n,
			shortestKey)
	}
	return nil
}
