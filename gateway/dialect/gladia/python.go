package gladia

import (
	"net/http"

	"steno/gateway/web"
)

// A client is sent the events byte for byte, with one exception: see [web.IsPython]. The address of
// the socket states that its client is the Python library, which gets post_final_transcript without
// chapters. It has them from post_chapterization, and the record keeps them.
const (
	clientField  = "client" // of the socket's address
	clientPython = "python-sdk"
)

// clientQuery returns what is added to the address of a session's socket for the client that
// creates the session.
func clientQuery(r *http.Request) string {
	if web.IsPython(r) {
		return "&" + clientField + "=" + clientPython
	}
	return ""
}

// speaksPython reports whether a socket's address was given to the Python client library.
func speaksPython(r *http.Request) bool { return r.URL.Query().Get(clientField) == clientPython }
