package gateway

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/web"
)

// FuzzSocket lets a hostile client send anything, message by message or as raw bytes on the wire.
// The gateway answers as documented, keeps the session's record, and never disturbs a bystander.
//
// The input is a script: an operation's byte, a length's byte, and so many bytes of payload,
// repeated.
func FuzzSocket(f *testing.F) {
	keepAlive := `{"type":"audio_chunk","data":{"chunk":""}}`
	step := func(op byte, payload string) string { return string([]byte{op, byte(len(payload))}) + payload }
	f.Add([]byte(step(0, keepAlive) + step(1, "0123456789") + step(0, `{"type":"stop_recording"}`)))
	f.Add([]byte(step(1, "RIFF") + step(3, "") + step(1, "RIFFxxxxWAVEfmt ") + step(1, "data")))
	f.Add([]byte(step(0, `{"type":"audio_chunk","data":{"chunk":"AAAA"}}`) + step(3, "") + step(1, "\x00\x00\x00")))
	f.Add([]byte(step(2, "\x81\x85\x00\x00\x00\x00hello") + step(2, "\xff\xff")))
	f.Add([]byte(step(2, "\x82\xfe") + step(2, "\x88\x80\x00\x00\x00\x00")))
	f.Add([]byte(step(0, `{"type":"stop_recording"}`) + step(1, "late") + step(0, `{"type":"stop_recording"}`)))
	f.Add([]byte(step(0, "text \x87")))
	f.Add([]byte(step(0, "{") + step(0, "{") + step(0, "{") + step(0, "{") + step(0, "{") + step(0, "{") +
		step(0, "{") +
		step(0, "{") + step(0, "{") + step(0, "{") + step(0, "{")))

	f.Fuzz(func(t *testing.T, script []byte) {
		r := newTestServer(t, func(c *Config) { c.Limits.BinaryFrame, c.Limits.TextFrame = 200, 200 })
		_, calm := r.create(`{}`)
		bystander := call(t, calm).mustConnect()

		id, url := r.create(`{}`)
		h := &hostile{caller: call(t, url)}
		h.dial, h.loose = h.wire, true
		h.mustConnect()
		for len(script) >= 2 && h.follow(script[0], script[2:][:min(int(script[1]), len(script)-2)]) {
			script = script[2+min(int(script[1]), len(script)-2):]
		}
		if !h.torn && h.stop() == nil {
			switch code := h.end(); code {
			case 1000, 1007, 4400, 4401, 4413, -1: // 1007: a text that is no UTF-8
			default:
				t.Errorf("closed with %d", code)
			}
		}
		h.hangUp()
		if job := r.job(id); job.ID != id {
			t.Errorf("job %+v", job)
		}
		if err := bystander.text(keepAlive); err != nil {
			t.Fatal(err)
		}
		bystander.ackedTo(0)
	})
}

// hostile is a caller that also writes to the wire bypassing its library.
type hostile struct {
	*caller
	raw  net.Conn
	torn bool // what it wrote to the wire may be no message
}

func (h *hostile) wire(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	h.raw = conn
	return conn, err
}

// follow carries out one operation and reports whether to continue.
func (h *hostile) follow(op byte, payload []byte) bool {
	switch op % 4 {
	case 0:
		return h.write(websocket.MessageText, payload) == nil
	case 1:
		return h.write(websocket.MessageBinary, payload) == nil
	case 2:
		h.torn = true
		_, err := h.raw.Write(payload)
		return err == nil
	}
	h.hangUp()
	h.torn = false
	return h.connect() == nil
}

// FuzzRequests sends anything as request line, headers and body to the API.
func FuzzRequests(f *testing.F) {
	f.Add("POST", "/v2/live", `{"channels":2}`)
	f.Add("GET", "/v2/live?limit=1&custom_metadata[a][b]=c", "")
	f.Add("GET", "/v2/transcription?custom_metadata=%7B%22a%22:1%7D&date=2026-01-01", "")
	f.Add("PATCH", noSuchJob, `{"a":null}`)
	f.Add("GET", noSuchJob+"/file", "")
	f.Fuzz(func(t *testing.T, method, path, body string) {
		req, err := http.NewRequest(method, "http://steno"+path, nil)
		if err != nil || len(path) == 0 || path[0] != '/' {
			t.Skip()
		}
		r := newTestServer(t, nil)
		a := r.serve(req, body)
		if a.status >= 500 {
			t.Errorf("%d %s", a.status, a.body)
		}
		if a.status >= 400 {
			checkError(t, a, a.status, web.Shorten(req.URL.Path))
		}
	})
}
