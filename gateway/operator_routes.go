package gateway

import (
	"net/http"
	"reflect"

	"steno/gateway/audit"
	"steno/gateway/openapi"
	"steno/gateway/tokens"
	"steno/messages"
	"steno/session/store"
)

// keyTable returns the operations on API keys, and that on the audit log, for those who run the
// service.
func keyTable(s *Server) []route {
	admin := access{scopes: store.ScopeAdmin, everyone: true}
	keys := &tokens.Keys{Store: s.deps.Store, Configured: s.keys, MaxBody: s.cfg.Limits.Body}
	log := &audit.Service{Store: s.deps.Store, Kept: s.auditKept != nil}
	const path = "/v2/admin/keys"
	return []route{
		{"GET", path, "key.list", keys.List, admin, "List API keys", docListKeys()},
		{"POST", path, "key.create", keys.Create, admin, "Make an API key", docCreateKey()},
		{"DELETE", path + "/{key}", "key.end", keys.End, admin, "End an API key", docEndKey()},
		{"GET", "/v2/admin/audit", "audit.read", log.Get, admin, "Read the audit log", docAudit()},
	}
}

func docListKeys() openapi.Details {
	return openapi.Details{
		Notes: "With an API key or a sign-in, not with a token; of keys the beginning of their hash is shown." +
			forOperators,
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[tokens.KeyList]().Like(tokens.KeyList{
			Items: messages.List[tokens.Key]{exampleKey()}})),
		Refuses: []int{http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docCreateKey() openapi.Details {
	return openapi.Details{
		Notes: "An account may have any number of keys. To change one without a gap: make another, have clients " +
			"use it, end the first. It is good on all nodes immediately." + forOperators,
		Takes: openapi.Body(openapi.JSON[tokens.NewKey]().Like(map[string]any{"account": "acme", "name": "web, 2026",
			"scopes": []string{"live", "read"}})),
		Gives: openapi.Answers(http.StatusCreated, openapi.JSON[tokens.MadeKey]().Like(tokens.MadeKey{
			Key: exampleKey(), Text: "NOTAKEYNOTAKEYNOTAKEYNOTA"})),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docEndKey() openapi.Details {
	return openapi.Details{
		Notes: "Named by the beginning of its hash, 12 digits at least. Without at the key ends now: it is refused " +
			"on all nodes immediately, its tokens too, and what it has opened ends within two seconds. With at it " +
			"ends then, tokens too, and live sessions that it has opened continue. Keys of the configuration end " +
			"there." + forOperators,
		Query: reflect.TypeFor[tokens.KeyEnd](),
		Gives: openapi.Answers(http.StatusNoContent),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusServiceUnavailable},
	}
}

func docAudit() openapi.Details {
	line := exampleLine()
	return openapi.Details{
		Notes: "Who has read or changed what people said, or who may do what, and who was refused, where the " +
			"configuration has it kept (audit.keep). Lines are there within a second or so." + forOperators,
		Query: reflect.TypeFor[audit.Query](),
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[audit.Page]().Like(audit.Page{
			Items: messages.List[audit.Line]{line}, Next: "1772357400120000"}),
			openapi.Bytes("application/jsonl", "A line of JSON each; the header X-Next-Cursor has the cursor")),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func exampleKey() tokens.Key {
	at := openapi.ExampleTime()
	return tokens.Key{ID: "9f86d081884c", Account: "acme", Name: "web, 2026", From: "store", CreatedAt: &at,
		Scopes: messages.List[string]{"live", "read"}}
}
func exampleLine() audit.Line {
	return audit.Line{Account: "acme", Key: "9f86d081884c", Credential: "key", Address: "203.0.113.7",
		Action: "record.read", Method: "GET", Object: openapi.ExampleID(), Status: http.StatusOK,
		RequestID: "G-1c2b3a4d"}
}
