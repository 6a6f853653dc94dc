package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"steno/gateway"
	"steno/gateway/web"
	"steno/session/store"
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

// configuredKeys are the keys of the configuration file. Errors never hold a key.
func configuredKeys(c Config, environ []string) ([]gateway.Key, error) {
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
		key.Text, _ = lookup(environ, k.KeyEnv)
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
