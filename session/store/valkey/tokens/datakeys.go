package tokens

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// DataKeyList implements store.DataKeys.
type DataKeyList struct {
	server *server.Conn
	writer server.Writer
}

// NewDataKeys returns the data keys of a server.
func NewDataKeys(w server.Writer) DataKeyList { return DataKeyList{w.Conn, w} }

var dataKeyScript = Scripts.Script("data_key", "erasure")

// keptKey is a data key as the server has it.
type keptKey struct {
	Wrapped []byte `json:"wrapped"`
	At      int64  `json:"at"`
}

func dataKeyName(account string, number int) string { return fmt.Sprintf("%08d:%s", number, account) }

// DataKeys implements store.DataKeys.
func (l DataKeyList) DataKeys(ctx context.Context, account string) (list []store.DataKey, err error) {
	all, err := l.server.Hash(ctx, "datakeys")
	if err != nil {
		return nil, fmt.Errorf("list data keys: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		digits, owner, _ := strings.Cut(name, ":")
		if account != "" && owner != account {
			continue
		}
		number, err := server.ParseInteger(digits)
		var k keptKey
		if err == nil {
			err = json.Unmarshal([]byte(all[name]), &k)
		}
		if err != nil {
			return nil, fmt.Errorf("read data key %s: %w", name, err)
		}
		at := time.UnixMilli(k.At).UTC()
		list = append(list, store.DataKey{Account: owner, Number: int(number), Wrapped: k.Wrapped, CreatedAt: at})
	}
	slices.SortStableFunc(list, func(a, b store.DataKey) int { return strings.Compare(a.Account, b.Account) })
	return list, nil
}

// AddDataKey implements store.DataKeys.
func (l DataKeyList) AddDataKey(ctx context.Context, k store.DataKey) error {
	return l.set(ctx, "add", k, "")
}

// WrapDataKey implements store.DataKeys.
func (l DataKeyList) WrapDataKey(ctx context.Context, k store.DataKey) error {
	return l.set(ctx, "wrap", k, "")
}

func (l DataKeyList) set(ctx context.Context, how string, k store.DataKey, mark string) error {
	text, err := json.Marshal(keptKey{k.Wrapped, k.CreatedAt.UnixMilli()})
	if err == nil {
		_, err = l.writer.Run(ctx, dataKeyScript, how, dataKeyName(k.Account, k.Number), string(text), mark)
	}
	if err != nil {
		return fmt.Errorf("%s data key: %w", how, err)
	}
	return nil
}

// ForgetDataKeys implements store.DataKeys.
func (l DataKeyList) ForgetDataKeys(ctx context.Context, account string) error {
	all, err := l.DataKeys(ctx, account)
	mark := ""
	if err == nil {
		mark, err = l.server.EraseMark(ctx, store.KeysOf(account), 0)
	}
	for _, k := range all {
		if k.Wrapped = nil; err == nil {
			err = l.set(ctx, "forget", k, mark)
		}
	}
	return err
}
