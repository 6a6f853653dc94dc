package tokens

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/valkey/server"
)

// keysFolder begins the names of the objects that have API keys and secrets.
const keysFolder = "state/"

// keptKeys has the API keys (SHA-256 only), the secrets of callbacks and the quotas of accounts in
// blob storage as well, for a server that loses everything. The scripts that change them count; one
// object has all, and is rewritten after a change. A server that has lost everything writes another
// object, so that its first few keys do not replace those it had.
type keptKeys struct {
	keyring Keyring
	secrets SecretList
	quotas  Quotas
	blobs   *blob.Bucket

	dataKeys DataKeyList
}

// Quotas are those of accounts, as store.Accounts has them.
type Quotas interface {
	SetQuota(ctx context.Context, account string, q store.Quota) error
	Quotas(ctx context.Context) (map[string]store.Quota, error)
}

func NewKept(w server.Writer, q Quotas, b *blob.Bucket) keptKeys {
	return keptKeys{NewKeyring(w), NewSecrets(w), q, b, NewDataKeys(w)}
}

// restored is how much the server was given.
type restored struct{ Keys, Secrets, Quotas, DataKeys int }

// maxKeys bounds the object, in bytes.
const maxKeys = 64 << 20

// keyList is the content of the object.
type keyList struct {
	Keys    []store.Key    `json:"keys"`
	Secrets []store.Secret `json:"secrets"`
	// DataKeys are those that data of accounts is sealed with, wrapped.
	DataKeys []store.DataKey `json:"data_keys,omitempty"`

	Quotas map[string]store.Quota `json:"quotas,omitempty"`
}

var keptScript = Scripts.Script("kept_keys")

// Save writes the keys to blob storage where they have changed since that was done last, by
// whatever node.
func (k keptKeys) Save(ctx context.Context) error {
	m, err := k.keyring.server.Run(ctx, keptScript, server.NewNumber())
	if err != nil {
		return err
	}
	// what they are counted at, and at what they were saved; the name of the server's history
	answer, err := m.AsStrSlice()
	if err != nil || len(answer) != 3 || answer[0] == answer[1] {
		return err
	}
	list, err := k.list(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode keys: %w", err)
	}
	if err := k.blobs.Put(ctx, keysFolder+answer[2]+".json", blob.Bytes(text)); err != nil {
		return err
	}
	_, err = k.keyring.server.Run(ctx, keptScript, answer[2], answer[0])
	return err
}

func (k keptKeys) list(ctx context.Context) (list keyList, err error) {
	if list.Keys, err = k.keyring.ListKeys(ctx); err != nil {
		return list, err
	}
	if list.Secrets, err = k.secrets.Secrets(ctx, ""); err != nil {
		return list, err
	}
	if list.DataKeys, err = k.dataKeys.DataKeys(ctx, ""); err != nil {
		return list, err
	}
	list.Quotas, err = k.quotas.Quotas(ctx)
	return list, err
}

// Restore adds the keys and secrets that blob storage has and the server lacks. The objects of
// former servers go when that of this one has them all.
func (k keptKeys) Restore(ctx context.Context) (done restored, err error) {
	objects, err := k.Objects(ctx)
	if err != nil {
		return done, err
	}
	for _, name := range objects {
		text, err := k.blobs.ReadAll(ctx, name, maxKeys)
		var list keyList
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		if err == nil {
			err = k.add(ctx, list, &done)
		}
		if err != nil {
			return done, fmt.Errorf("restore keys of %s: %w", name, err)
		}
	}
	if done == (restored{}) {
		return done, nil
	}
	if err := k.Save(ctx); err != nil {
		return done, err
	}
	history, err := k.keyring.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Get().Key(k.keyring.server.Prefix + "kept:history").Build()
	})
	if err != nil {
		return done, err
	}
	current, err := history.ToString()
	for _, name := range objects {
		if err == nil && name != keysFolder+current+".json" {
			err = k.blobs.Delete(ctx, name)
		}
	}
	return done, err
}

func (k keptKeys) Objects(ctx context.Context) (names []string, err error) {
	page, err := k.blobs.List(ctx, keysFolder, "", blob.MaxPage)
	for _, o := range page {
		if strings.HasSuffix(o.Name, ".json") {
			names = append(names, o.Name)
		}
	}
	return names, err
}

// add adds what the server does not have.
func (k keptKeys) add(ctx context.Context, list keyList, done *restored) error {
	for _, key := range list.Keys {
		err := k.keyring.AddKey(ctx, key)
		if err == nil {
			done.Keys++
		} else if !errors.Is(err, store.ErrExists) {
			return err
		}
	}
	for _, key := range list.DataKeys {
		err := k.dataKeys.AddDataKey(ctx, key)
		if err == nil {
			done.DataKeys++
		} else if !errors.Is(err, store.ErrExists) {
			return err
		}
	}
	if err := k.addQuotas(ctx, list.Quotas, done); err != nil {
		return err
	}
	return k.addSecrets(ctx, list.Secrets, done)
}

// addQuotas sets the quotas of accounts that have none.
func (k keptKeys) addQuotas(ctx context.Context, list map[string]store.Quota, done *restored) error {
	there, err := k.quotas.Quotas(ctx)
	for account, q := range list {
		if _, has := there[account]; has || err != nil {
			continue
		}
		if err = k.quotas.SetQuota(ctx, account, q); err == nil {
			done.Quotas++
		}
	}
	return err
}

// addSecrets adds the secrets, newest first, of accounts that have none.
func (k keptKeys) addSecrets(ctx context.Context, list []store.Secret, done *restored) error {
	some := map[string]bool{}
	for _, secret := range list {
		there, err := k.secrets.Secrets(ctx, secret.Account)
		if err != nil {
			return err
		}
		some[secret.Account] = len(there) > 0
	}
	for _, secret := range slices.Backward(list) {
		if some[secret.Account] {
			continue
		}
		if err := k.secrets.AddSecret(ctx, secret); err != nil {
			return err
		}
		done.Secrets++
	}
	return nil
}
