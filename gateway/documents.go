package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"steno/gateway/openapi"
	"steno/gateway/web"
	"steno/messages"
)

// openTable returns the operations that need no API key.
func (s *Server) openTable() []route {
	docs := sync.OnceValues(s.documents)
	show := func(name string) web.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			all, err := docs()
			if err != nil {
				return web.Internal(err)
			}
			all[name].serve(w, r)
			return nil
		}
	}
	open := access{open: true}
	return []route{
		{"GET", "/healthz", s.health.alive, open, "Whether the process runs", docProbe()},
		{"GET", "/readyz", s.health.accepting, open, "Whether new sessions are taken", docProbe(http.StatusServiceUnavailable)},
		{"GET", "/openapi.json", show("openapi"), open, "This description, for tools", docDocument("application/json")},
		{"GET", "/asyncapi.json", show("asyncapi"), open, "The description of WebSocket and callbacks, for tools", docDocument("application/json")},
		{"GET", "/docs", show("page"), open, "Both descriptions, for people", docDocument("text/html")},
	}
}

type probe struct {
	Status string `json:"status"`
}

func docProbe(refuses ...int) openapi.Details {
	return openapi.Details{Gives: openapi.Answers(http.StatusOK, openapi.JSON[probe]()), Refuses: refuses}
}

func docDocument(media string) openapi.Details {
	return openapi.Details{
		Gives: append(openapi.Answers(http.StatusOK, openapi.Bytes(media, "")), openapi.Answer{Status: http.StatusNotModified}),
	}
}

// operations returns the operations for the descriptions.
func (s *Server) operations() []openapi.Operation {
	var all []openapi.Operation
	for _, r := range slices.Concat(s.table(), s.openTable()) {
		r.doc.Open = r.needs.open
		all = append(all, openapi.Operation{Method: r.method, Path: r.path, Summary: r.summary, Scopes: r.needs.scopes.Names(), Details: r.doc})
	}
	return all
}

// document is a text with the values of its headers.
type document struct {
	media, etag, policy string
	text                []byte
}

// documents returns the descriptions by name.
func (s *Server) documents() (map[string]*document, error) {
	info := openapi.Info{
		Title: "steno", Version: strconv.Itoa(messages.Version), URL: s.cfg.PublicURL, KeyHeaders: s.cfg.KeyHeaders,
		Description: "Speech to text: live sessions over WebSocket, recorded files as jobs.",
	}
	open, err := openapi.NewOpenAPI(info, s.operations())
	if err != nil {
		return nil, fmt.Errorf("describe HTTP: %w", err)
	}
	async, err := openapi.NewAsyncAPI(info)
	if err != nil {
		return nil, fmt.Errorf("describe WebSocket: %w", err)
	}
	page, policy, err := openapi.NewPage(open, async)
	if err != nil {
		return nil, err
	}
	all := map[string]*document{"page": newDocument("text/html; charset=utf-8", policy, page)}
	for name, doc := range map[string]any{"openapi": open, "asyncapi": async} {
		text, err := json.Marshal(doc)
		if err != nil {
			return nil, fmt.Errorf("encode description: %w", err)
		}
		all[name] = newDocument("application/json", "", text)
	}
	return all, nil
}

func newDocument(media, policy string, text []byte) *document {
	sum := sha256.Sum256(text)
	return &document{media: media, etag: `"` + hex.EncodeToString(sum[:16]) + `"`, policy: policy, text: text}
}

// serve answers with the document, or with 304 if the client has it already.
func (d *document) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", d.media)
	h.Set("ETag", d.etag)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	if d.policy != "" {
		h.Set("Content-Security-Policy", d.policy)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.text))
}
