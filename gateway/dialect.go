package gateway

import (
	"net/http"
	"strings"

	"steno/messages"
	"steno/session/store"
)

// A socket sends the messages as they are logged, byte for byte. There is one exception, and it is made here.
//
// The Python client library takes the chapters of post_final_transcript for an object, as the public interface's schema
// has them, and fails on the list that is sent; then it drops the message. The address that it is given says who it is, and
// its sockets are sent that message without chapters. It has them from post_chapterization, and the record keeps them. The
// records that it asks for are shown without them too, since it fails on those alike.
const (
	dialectField  = "client" // of the socket's address
	dialectPython = "python-sdk"
)

// dialectOf is what is added to the address of a session's socket for the client that asks for the session.
func dialectOf(r *http.Request) string {
	if isPython(r) {
		return "&" + dialectField + "=" + dialectPython
	}
	return ""
}

// isPython tells whether a request with an API key comes from the Python client library.
func isPython(r *http.Request) bool {
	return strings.Contains(r.Header.Get("x-gladia-version"), "SdkPython/")
}

// readable is a record whose result whoever asks for it can read.
func readable(r *http.Request, record store.Record) store.Record {
	if isPython(r) {
		record.Result = messages.ResultWithoutChapters(record.Result)
	}
	return record
}

// speaksPython tells whether a socket's address was given to the Python client library.
func speaksPython(r *http.Request) bool { return r.URL.Query().Get(dialectField) == dialectPython }

// inPython is an event as the Python client library reads it.
func inPython(e messages.Event) messages.Event {
	if e.Kind == messages.KindPostFinalTranscript {
		e.Body = messages.WithoutChapters(e.Body)
	}
	return e
}
