package valkey

import (
	"context"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// server is the connection to the server that all parts of the store share.
type server struct {
	client valkey.Client
	prefix string
	now    func() time.Time // nil: the server's clock
	wakes  *wakes

	connections *atomic.Int64 // made so far
}

//go:embed scripts/*.lua
var scripts embed.FS

// prelude begins every script: the arguments that all have, the clock and the errors.
var prelude = scriptText("prelude")

func scriptText(name string) string {
	text, err := scripts.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(err) // not part of the program
	}
	return string(text)
}

// close ends the subscription and the connections.
func (s *server) close() {
	s.wakes.close()
	s.client.Close()
}

// script is one of the files in the folder scripts, named without its extension, with the functions of others.
func script(name string, includes ...string) *valkey.Lua {
	return valkey.NewLuaScript(scriptSource(name, includes...))
}

// scriptSource returns the text of a script: the prelude, the files that it includes, then its own.
func scriptSource(name string, includes ...string) string {
	text := prelude
	for _, include := range includes {
		text += scriptText(include)
	}
	return text + scriptText(name)
}

// run runs a script with arguments, which it finds by arg(1), arg(2) and so on. Errors: those of the contract that the
// script names (see failures), store.ErrAway, the context's.
func (s *server) run(ctx context.Context, script *valkey.Lua, args ...string) (valkey.ValkeyMessage, error) {
	all := append(make([]string, 0, 1+len(args)), s.clock())
	m, err := script.Exec(ctx, s.client, []string{s.prefix}, append(all, args...)).ToMessage()
	if valkey.IsValkeyNil(err) {
		return m, nil
	}
	return m, serverError(ctx, err)
}

// look runs a script that changes nothing, again where the connection ended before the answer. Errors: those of run.
func (s *server) look(ctx context.Context, script *valkey.Lua, args ...string) (m valkey.ValkeyMessage, err error) {
	err = reconnect(ctx, func() error {
		m, err = s.run(ctx, script, args...)
		return err
	})
	return m, err
}

// hash returns the fields of a hash, none where there is no such hash; key is without the prefix. It asks again where the
// connection ended before the answer. Errors: store.ErrAway, the context's.
func (s *server) hash(ctx context.Context, key string) (fields map[string]string, err error) {
	err = reconnect(ctx, func() error {
		fields, err = s.client.Do(ctx, s.client.B().Hgetall().Key(s.prefix+key).Build()).AsStrMap()
		return serverError(ctx, err)
	})
	return fields, err
}

// clock returns the time in milliseconds for a script to go by; empty for the server's own.
func (s *server) clock() string {
	if s.now == nil {
		return ""
	}
	return strconv.FormatInt(s.now().UnixMilli(), 10)
}

// failures are the errors that scripts return, by the word after "STENO".
var failures = map[string]error{
	"NOTFOUND":    store.ErrNotFound,
	"EXISTS":      store.ErrExists,
	"NOTFINISHED": store.ErrNotFinished,
	"FINISHED":    store.ErrFinished,
	"TOOLARGE":    store.ErrTooLarge,
	"INVALID":     store.ErrInvalid,
	"LOST":        store.ErrLost,
	"TAKEN":       store.ErrTaken,
	"USED":        store.ErrUsed,
	"SENT":        store.ErrSent,
}

// refusals are the first words of answers by which the server says that it cannot serve now, though it is there.
var refusals = []string{
	"OOM", "READONLY", "LOADING", "BUSY", "MASTERDOWN", "NOREPLICAS", "MISCONF", "CLUSTERDOWN", "TRYAGAIN", "UNKILLABLE",
}

// serverError makes an error of the contract of one of the client library. nil stays nil.
func serverError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	answer, ok := valkey.IsValkeyErr(err)
	if !ok {
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	word, rest, _ := strings.Cut(answer.Error(), " ")
	if word == "STENO" {
		failure, detail, _ := strings.Cut(rest, " ")
		if failure == "CLAIMED" {
			return store.ClaimedError{Holder: detail}
		}
		if err, ok := failures[failure]; ok {
			return err
		}
	}
	for _, refusal := range refusals {
		if word == refusal || strings.HasPrefix(answer.Error(), "-"+refusal) {
			return fmt.Errorf("%w: %w", store.ErrAway, err)
		}
	}
	return err
}

var pingScript = script("ping")

// Ping writes to the server and reads from it. Errors: store.ErrAway, the context's.
func (s *server) Ping(ctx context.Context) error {
	if _, err := s.run(ctx, pingScript); err != nil {
		return fmt.Errorf("write to valkey: %w", err)
	}
	return nil
}
