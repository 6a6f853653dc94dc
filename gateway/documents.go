package gateway

import (
	_ "embed" // of dialectsText
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"steno/gateway/health"
	"steno/gateway/openapi"
	"steno/gateway/web"
	"steno/messages"
)

// openTable returns the operations that need no API key.
func (s *Server) openTable() []route {
	docs := s.documents()
	show := func(name string) web.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			d, err := docs[name]()
			if err != nil {
				return web.Internal(err)
			}
			d.serve(w, r)
			return nil
		}
	}
	open := access{open: true}
	return []route{
		{"GET", "/healthz", unaudited, s.health.Alive, open, "Whether the process runs", docProbe("ok")},
		{"GET", "/readyz", unaudited, s.health.Accepting, open, "Whether new sessions are taken",
			docProbe("ready", http.StatusServiceUnavailable)},
		{"GET", "/openapi.json", unaudited, show("openapi"), open, "This description, for tools",
			docDocument("application/json")},
		{"GET", "/asyncapi.json", unaudited, show("asyncapi"), open,
			"The description of WebSocket and callbacks, for tools", docDocument("application/json")},
		{"GET", "/docs", unaudited, show("page"), open, "Both descriptions, for people", docDocument("text/html")},
		{"GET", "/docs/dialects", unaudited, show("dialects"), open,
			"How clients of other services are served, for people", docDocument("text/html")},
	}
}

// docProbe describes a probe whose answer is the status if nothing is wrong.
func docProbe(status string, refuses ...int) openapi.Details {
	answer := openapi.JSON[health.Probe]().Like(health.Probe{Status: status})
	return openapi.Details{Gives: openapi.Answers(http.StatusOK, answer), Refuses: refuses}
}

func docDocument(media string) openapi.Details {
	return openapi.Details{
		Gives: append(openapi.Answers(http.StatusOK, openapi.Bytes(media, "")),
			openapi.Answer{Status: http.StatusNotModified}),
	}
}

// operations returns the operations for the descriptions: those of the dialects come last.
func (s *Server) operations() []openapi.Operation {
	var all []openapi.Operation
	for _, r := range slices.Concat(s.table(), s.views.table(), accountTable(s), s.openTable()) {
		all = append(all, r.operation())
	}
	for _, r := range clientTable(s) {
		if r.doc.Dialect != "" {
			all = append(all, r.operation())
		}
	}
	return all
}

func (r route) operation() openapi.Operation {
	r.doc.Open = r.needs.open
	return openapi.Operation{Method: r.method, Path: r.path, Summary: r.summary, Scopes: r.needs.scopes.Names(),
		Details: r.doc}
}

// document is a file, and its content security policy: empty for none.
type document struct {
	file   *web.File
	policy string
}

const html = "text/html; charset=utf-8"

// dialectsText is the text about dialects.
//
//go:embed dialect/DIALECTS.md
var dialectsText []byte

// documents returns the descriptions by name. Each is made when it is first asked for, since that
// takes long.
func (s *Server) documents() map[string]func() (*document, error) {
	info := func() openapi.Info {
		return openapi.Info{
			Title: "steno", Version: strconv.Itoa(messages.Version), URL: s.cfg.PublicURL, KeyHeaders: s.cfg.KeyHeaders,
			Description: "Speech to text: live sessions over WebSocket, recorded files as jobs.",
			Addons:      s.deps.Addons.Declarations(),
		}
	}
	open := sync.OnceValues(func() (*openapi.OpenAPI, error) { return openapi.NewOpenAPI(info(), s.operations()) })
	async := sync.OnceValues(func() (*openapi.AsyncAPI, error) { return openapi.NewAsyncAPI(info()) })
	return map[string]func() (*document, error){
		"openapi":  encoded("HTTP", open),
		"asyncapi": encoded("WebSocket", async),
		"page": sync.OnceValues(func() (*document, error) {
			http, err := open()
			if err != nil {
				return nil, fmt.Errorf("describe HTTP: %w", err)
			}
			sockets, err := async()
			if err != nil {
				return nil, fmt.Errorf("describe WebSocket: %w", err)
			}
			return newPage(openapi.NewPage(http, sockets))
		}),
		"dialects": sync.OnceValues(func() (*document, error) {
			return newPage(openapi.NewArticle("Clients of other services", dialectsText))
		}),
	}
}

// encoded returns what encodes the description of an interface when it is first called.
func encoded[T any](of string, describe func() (T, error)) func() (*document, error) {
	return sync.OnceValues(func() (*document, error) {
		described, err := describe()
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", of, err)
		}
		text, err := json.Marshal(described)
		if err != nil {
			return nil, fmt.Errorf("encode description: %w", err)
		}
		return newDocument("application/json", "", text), nil
	})
}

// newPage returns a document of a page and its policy.
func newPage(page []byte, policy string, err error) (*document, error) {
	if err != nil {
		return nil, err
	}
	return newDocument(html, policy, page), nil
}

func newDocument(media, policy string, text []byte) *document {
	return &document{web.NewFile(media, text), policy}
}

func (d *document) serve(w http.ResponseWriter, r *http.Request) {
	if d.policy != "" {
		w.Header().Set("Content-Security-Policy", d.policy)
	}
	d.file.Serve(w, r)
}
