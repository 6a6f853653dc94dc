package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	calls "steno/gateway/callbacks"
	"steno/session/store"
)

// secretCmd changes what callbacks are signed with, whether or not a gateway is using the folder:
// it signs each request with the secrets of that moment.
type secretCmd struct {
	Add    secretAddCmd    `cmd:"" help:"Make a secret for an account and print it, this once. The one before stays valid beside it."`
	List   secretListCmd   `cmd:"" help:"List secrets, newest first: the beginning of the SHA-256, account, date."`
	Remove secretRemoveCmd `cmd:"" help:"Sign with a secret no more."`
}

type secretAddCmd struct {
	outboxFolder
	Account string `default:"default" help:"Whose callbacks it signs."`
	Stdin   bool   `help:"Read the secret from the standard input instead of making one."`
}

// Run prints the secret alone, so that it can be piped; nothing where it was given.
func (c secretAddCmd) Run(ctx context.Context, p *process) (err error) {
	if err := checkAccount(c.Account); err != nil {
		return err
	}
	text := newSecret()
	if c.Stdin {
		if text, err = readSecret(p.stdin); err != nil {
			return err
		}
	}
	outbox, err := c.make(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "outbox", outbox)
	err = outbox.AddSecret(ctx, store.Secret{Account: c.Account, Text: text, CreatedAt: time.Now()})
	if err != nil || c.Stdin {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, text)
	return err
}

// newSecret is one as Standard Webhooks has it, of 32 random bytes.
func newSecret() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(raw[:])
}

func readSecret(from io.Reader) (string, error) {
	const longest = 4 << 10
	if from == nil {
		return "", errors.New("there is no standard input")
	}
	text, err := io.ReadAll(io.LimitReader(from, longest))
	if err != nil {
		return "", fmt.Errorf("read secret: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	return secret, calls.CheckSecret(secret)
}

type secretListCmd struct {
	outboxFolder
	Account string `help:"Only those of an account." placeholder:"NAME"`
}

// Run prints one line a secret.
func (c secretListCmd) Run(ctx context.Context, p *process) (err error) {
	outbox, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "outbox", outbox)
	list, err := outbox.Secrets(ctx, c.Account)
	if err == nil && len(list) == 0 {
		fmt.Fprintln(p.stdout, "none")
	}
	for _, s := range list {
		fmt.Fprintf(p.stdout, "%s  %-12s %s\n", secretHash(s)[:store.HashDigits], s.Account,
			s.CreatedAt.UTC().Format(time.DateTime))
	}
	return err
}

// secretHash names a secret without telling it.
func secretHash(s store.Secret) string {
	hash := sha256.Sum256([]byte(s.Text))
	return hex.EncodeToString(hash[:])
}

type secretRemoveCmd struct {
	outboxFolder
	Hash    string `arg:"" help:"The beginning of the SHA-256, as listed."`
	Account string `help:"Only one of this account." placeholder:"NAME"`
}

// Run removes the one secret that is meant.
func (c secretRemoveCmd) Run(ctx context.Context, p *process) (err error) {
	outbox, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "outbox", outbox)
	list, err := outbox.Secrets(ctx, c.Account)
	if err != nil {
		return err
	}
	var found []store.Secret
	for _, s := range list {
		if len(c.Hash) >= shortestPrefix && strings.HasPrefix(secretHash(s), strings.ToLower(c.Hash)) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return errors.New("no such secret")
	case 1:
		return outbox.RemoveSecret(ctx, found[0].Account, found[0].Text)
	default:
		return errors.New("several secrets begin like this: give more of the hash, or the account")
	}
}
