package gateway

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"steno/gateway/limits"
	"steno/messages"
	"steno/session/store"
)

// strangers is the account that owns nothing of what the matrix asks for.
const strangers = "strangers"

// ownersWord is in everything that belongs to the account that owns it.
const ownersWord = "xylophone"

// bearerOf is a holder of a credential.
type bearerOf struct {
	name     string
	account  string       // empty: the credential is good for nothing
	scopes   store.Scopes // what it allows: of a token no more than its key does
	token    bool
	signedIn bool
	of       string // what a token is for by name: "own", "other"; empty: all of the account
	finals   bool   // a token shows them
	audio    bool   // a token shows it
	ticket   bool   // the credential comes as a ticket in the address
	text     string // of the credential; empty: present makes one
	present  func() string
}

// isShare reports whether it holds a link.
func (b *bearerOf) isShare() bool {
	return b.token && !b.signedIn && b.of != "" && b.scopes&^store.ScopeRead == 0
}

// matrix is a server with credentials of all kinds.
type matrix struct {
	*testServer
	other string            // a live session of the owner's that requests do not name
	id    string            // the live session that tokens of sessions are for, while a request is made
	kept  map[string]string // ids of what requests may name again, by what it is
	held  map[string]string // tokens that bearers may present again, by bearer and session
}

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	m := &matrix{testServer: newTestServer(t, func(c *Config) {
		c.Limits = limits.Limits{FailedKeys: 1_000_000, KeyRate: 1_000_000, KeySessions: 1_000_000}
		c.Keys = append(c.Keys, Key{Text: "key-that-expired", Expires: time.Now().Add(-time.Second)})
	})}
	m.other = m.record(messages.JobLive)
	m.held = map[string]string{}
	m.kept = map[string]string{"live": m.record(messages.JobLive)}
	return m
}

// hashOf is what the store keeps of a credential.
func hashOf(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}

// newKey adds a key.
func (m *matrix) newKey(account string, scopes store.Scopes) (text string) {
	m.t.Helper()
	text = "key-" + rand.Text()
	if err := m.store.AddKey(m.t.Context(), store.Key{Hash: hashOf(text), Account: account, Scopes: scopes,
		CreatedAt: time.Now()}); err != nil {
		m.t.Fatal(err)
	}
	return text
}

// newToken adds a token of a key, which lives so long.
func (m *matrix) newToken(account, key string, scopes store.Scopes, kinds messages.Filter, life time.Duration,
	sessions ...string) (text, id string) {
	m.t.Helper()
	text, id = "tok_"+rand.Text(), uuid.NewString()
	name := ownersWord
	if account == strangers {
		name = strangers
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	if err := m.store.AddToken(m.t.Context(), store.Token{ID: id, Hash: hashOf(text), Account: account,
		Key: hashOf(key), Name: name, Scopes: scopes, Kinds: kinds, Sessions: sessions, CreatedAt: now,
		ExpiresAt: now.Add(life)}); err != nil {
		m.t.Fatal(err)
	}
	return text, id
}

// newTicket adds a ticket for a credential.
func (m *matrix) newTicket(credential string, life time.Duration) (text string) {
	m.t.Helper()
	text = rand.Text()
	if err := m.store.AddTicket(m.t.Context(), store.Ticket{Hash: hashOf(text), Credential: hashOf(credential),
		ExpiresAt: time.Now().Add(life)}); err != nil {
		m.t.Fatal(err)
	}
	return text
}

// record adds a finished job of the owner's, with an upload where it is of a recorded file.
func (m *matrix) record(kind messages.JobKind) (id string) {
	m.t.Helper()
	at := time.Now().UTC().Truncate(time.Millisecond)
	r := store.Record{
		ID: uuid.NewString(), Account: DefaultAccount, Kind: kind, Status: messages.StatusDone,
		Version: messages.Version, CreatedAt: at, CompletedAt: &at,
		CustomMetadata: json.RawMessage(`{"title":"` + ownersWord + `"}`),
		Params:         json.RawMessage(`{"audio_url":"http://a.example/a.wav"}`),
		Result:         json.RawMessage(`{"transcription":{"full_transcript":"` + ownersWord + `","utterances":[]}}`),
	}
	if kind == messages.JobPreRecorded {
		r.Upload = m.upload()
	}
	if err := m.store.Create(m.t.Context(), r); err != nil {
		m.t.Fatal(err)
	}
	return r.ID
}

// upload adds an upload of the owner's.
func (m *matrix) upload() (id string) {
	m.t.Helper()
	w, err := m.store.NewUpload(m.t.Context(), uuid.NewString())
	if err != nil {
		m.t.Fatal(err)
	}
	_, err = w.Write(wavOf(speech(1, 1), 16000, 1))
	up, committed := w.Commit(m.t.Context(), store.Upload{Account: DefaultAccount, Filename: ownersWord + ".wav",
		Extension: "wav", CreatedAt: time.Now().UTC().Truncate(time.Millisecond)})
	if err := errors.Join(err, committed); err != nil {
		m.t.Fatal(err)
	}
	return up.ID
}

// bearers are those that the matrix lets ask: those who have nothing that is good, keys and tokens
// of each scope and of all, sign-ins, tokens for sessions by name, links, tickets, and strangers.
func (m *matrix) bearers() (all []*bearerOf) {
	all = append(m.unknown(), m.withScopes()...)
	full := m.newKey(DefaultAccount, store.AllScopes)
	for _, b := range []bearerOf{
		{name: "its link", scopes: store.ScopeRead, of: "own", finals: true},
		{name: "its link with audio", scopes: store.ScopeRead, of: "own", finals: true, audio: true},
		{name: "its link without finals", scopes: store.ScopeRead, of: "own"},
		{name: "another session's link", scopes: store.ScopeRead, of: "other", finals: true, audio: true},
		{name: "its token", scopes: store.AllScopes, of: "own", finals: true},
		{name: "another session's token", scopes: store.AllScopes, of: "other", finals: true},
		{name: "ticket of its link", scopes: store.ScopeRead, of: "own", finals: true, ticket: true},
		{name: "ticket of a token", scopes: store.AllScopes, finals: true, ticket: true},
		{name: "sign-in", scopes: store.AllScopes, signedIn: true, finals: true},
	} {
		b.account, b.token = DefaultAccount, true
		b.present = func() string { return m.tokenOf(&b, full) }
		all = append(all, &b)
	}
	key := m.newKey(strangers, store.AllScopes)
	stranger := &bearerOf{name: "stranger's token", account: strangers, scopes: store.AllScopes, token: true,
		finals: true}
	stranger.present = func() string { return m.tokenOf(stranger, key) }
	return append(all, stranger, &bearerOf{name: "stranger", account: strangers, scopes: store.AllScopes, text: key},
		&bearerOf{name: "ticket of a key", account: DefaultAccount, scopes: store.AllScopes, ticket: true,
			present: func() string { return m.newTicket(full, time.Minute) }})
}

// tokenOf returns the token that a bearer holds, or a new ticket for a new one. A token of a
// sign-in is new, too: requests end it.
func (m *matrix) tokenOf(b *bearerOf, key string) string {
	if b.ticket || b.signedIn {
		return m.newTokenOf(b, key)
	}
	held := b.name + " " + m.id
	if m.held[held] == "" {
		m.held[held] = m.newTokenOf(b, key)
	}
	return m.held[held]
}

func (m *matrix) newTokenOf(b *bearerOf, key string) string {
	scopes, kinds := b.scopes, messages.Filter(0)
	if b.signedIn {
		scopes |= store.ScopeSignIn
	}
	if b.audio {
		scopes |= store.ScopeAudio
	}
	if !b.finals {
		kinds = messages.Filter(0).With(messages.KindPartial)
	}
	var sessions []string
	switch b.of {
	case "own":
		sessions = []string{m.id}
	case "other":
		sessions = []string{m.other}
	}
	text, _ := m.newToken(b.account, key, scopes, kinds, time.Hour, sessions...)
	if b.ticket {
		return m.newTicket(text, time.Minute)
	}
	return text
}

// withScopes are a key and a token of each scope, and of all, and a token that outdoes its key.
func (m *matrix) withScopes() (all []*bearerOf) {
	sets := []store.Scopes{store.ScopeLive, store.ScopeJobs, store.ScopeRead, store.ScopeAdmin, store.AllScopes,
		store.AllScopes &^ store.ScopeAdmin}
	full := m.newKey(DefaultAccount, store.AllScopes)
	for _, scopes := range sets {
		key := m.newKey(DefaultAccount, scopes)
		token, _ := m.newToken(DefaultAccount, full, scopes, 0, time.Hour)
		all = append(all,
			&bearerOf{name: "key: " + scopes.String(), account: DefaultAccount, scopes: scopes, text: key},
			&bearerOf{name: "token: " + scopes.String(), account: DefaultAccount, scopes: scopes, text: token,
				token: true, finals: true})
	}
	reader := m.newKey(DefaultAccount, store.ScopeRead)
	lesser, _ := m.newToken(DefaultAccount, reader, store.AllScopes, 0, time.Hour)
	return append(all, &bearerOf{name: "token of a key: read", account: DefaultAccount, scopes: store.ScopeRead,
		text: lesser, token: true, finals: true})
}

// unknown are those who have nothing, or what is wrong, expired, revoked or used.
func (m *matrix) unknown() []*bearerOf {
	m.t.Helper()
	revoked := m.newKey(DefaultAccount, store.AllScopes)
	ofRevoked, _ := m.newToken(DefaultAccount, revoked, store.AllScopes, 0, time.Hour)
	full := m.newKey(DefaultAccount, store.AllScopes)
	revokedToken, id := m.newToken(DefaultAccount, full, store.AllScopes, 0, time.Hour)
	expiredToken, _ := m.newToken(DefaultAccount, full, store.AllScopes, 0, -time.Second)
	ofExpired, _ := m.newToken(DefaultAccount, "key-that-expired", store.AllScopes, 0, time.Hour)
	ofNobody, _ := m.newToken(DefaultAccount, "key-that-is-nowhere", store.AllScopes, 0, time.Hour)
	expiredKey := "key-" + rand.Text()
	err := m.store.AddKey(m.t.Context(), store.Key{Hash: hashOf(expiredKey), Account: DefaultAccount,
		ExpiresAt: time.Now().Add(time.Hour)})
	ofExpiredKey, _ := m.newToken(DefaultAccount, expiredKey, store.AllScopes, 0, time.Hour)
	err = errors.Join(err, m.store.EndKey(m.t.Context(), hashOf(expiredKey), time.Now().Add(-time.Second)))
	if err != nil {
		m.t.Fatal(err)
	}
	used, late := m.newTicket(full, time.Minute), m.newTicket(full, -time.Second)
	orphan := m.newTicket(revoked, time.Minute)
	_, err = m.store.UseTicket(m.t.Context(), hashOf(used))
	if err := errors.Join(err, m.store.RemoveKey(m.t.Context(), hashOf(revoked)),
		m.store.RemoveToken(m.t.Context(), DefaultAccount, id)); err != nil {
		m.t.Fatal(err)
	}
	return []*bearerOf{
		{name: "nobody"},
		{name: "wrong key", text: "key-that-is-nowhere"}, {name: "wrong token", text: "tok_" + rand.Text()},
		{name: "expired key", text: "key-that-expired"}, {name: "expired key", text: expiredKey},
		{name: "token of an expired key of the store", text: ofExpiredKey}, {name: "expired token", text: expiredToken},
		{name: "revoked key", text: revoked}, {name: "revoked token", text: revokedToken},
		{name: "token of a revoked key", text: ofRevoked}, {name: "token of an expired key", text: ofExpired},
		{name: "token of no key", text: ofNobody}, {name: "a key's hash", text: string(hashOf(full))},
		{name: "a very long key", text: full + strings.Repeat("x", 600)},
		{name: "wrong ticket", text: rand.Text(), ticket: true}, {name: "used ticket", text: used, ticket: true},
		{name: "expired ticket", text: late, ticket: true},
		{name: "ticket of a revoked key", text: orphan, ticket: true},
		{name: "key as a ticket", text: full, ticket: true},
	}
}

// object returns the id of what a path's {id} is: a new one where the request may delete it.
func (m *matrix) object(o *route, n *need, b *bearerOf) (id string) {
	m.t.Helper()
	m.id = m.kept["live"]
	deleted := o.method == http.MethodDelete && n.want(b) == 0
	if id = m.kept[n.of]; n.of == "" || n.of != "token" && id != "" && !deleted {
		return id
	}
	switch n.of {
	case "live":
		m.id = m.record(messages.JobLive)
		id = m.id
	case "recorded":
		id = m.record(messages.JobPreRecorded)
	case "upload":
		id = m.upload()
	case "token":
		key := b.text // which alone sees its tokens, if it lacks the scope admin
		if b.token || b.account != DefaultAccount {
			key = testKey
		}
		_, id = m.newToken(DefaultAccount, key, store.ScopeRead, 0, time.Hour)
	}
	if !deleted {
		m.kept[n.of] = id
	}
	return id
}

// requestBody returns the body of a request. That of most cannot be read, so that what is allowed
// goes no further; but whether a token may make another is decided when its body was.
func requestBody(o *route, n *need) string {
	switch {
	case o.path == "/v2/tokens":
		return `{"scopes":["read"]}`
	case n.has("own") || o.method == http.MethodPatch:
		return `{}`
	}
	return "!"
}

// ask makes the request of a bearer at a route.
func (m *matrix) ask(o *route, n *need, b *bearerOf) *httptest.ResponseRecorder {
	m.t.Helper()
	id := m.object(o, n, b)
	path := strings.NewReplacer("{id}", id, "{delivery}", "none", "{key}", "none", "{$}", "").Replace(o.path)
	credential := b.text
	if b.present != nil {
		credential = b.present()
	}
	query := []string{}
	if n.has("stream") && b.account != strangers {
		query = append(query, "from=x") // which is refused, where it is allowed
	}
	if b.ticket {
		query = append(query, "ticket="+credential)
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	req := httptest.NewRequestWithContext(m.t.Context(), o.method, path, bytes.NewBufferString(requestBody(o, n)))
	if !b.ticket && credential != "" {
		req.Header.Set("x-service-key", credential)
	}
	rec := httptest.NewRecorder()
	m.server.handler.ServeHTTP(rec, req)
	return rec
}

// need is a line of the data.
type need struct {
	of     string
	words  []string
	scopes store.Scopes
}

func needOf(line string) (n need) {
	of, words, _ := strings.Cut(line, ":")
	n = need{of: of, words: strings.Fields(words)}
	for _, w := range n.words {
		if scope, err := store.ParseScopes([]string{w}); err == nil {
			n.scopes |= scope
		}
	}
	return n
}

func (n *need) has(word string) bool { return slices.Contains(n.words, word) }
