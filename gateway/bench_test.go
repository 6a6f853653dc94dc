package gateway

import (
	"context"
	"net/http"
	"testing"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"steno/session/asr/scripted"
)

// BenchmarkFrame measures one 20-ms frame of silence, from a client of the same process, over the
// loopback interface, to the journal, with an ack for every five.
func BenchmarkFrame(b *testing.B) {
	r := &testServer{t: b, dir: b.TempDir(), engines: &engines{asr: scripted.New(scripted.Config{})},
		log: zerolog.Nop()}
	r.start()
	defer r.stop()
	_, url := r.create(`{}`)
	conn, _, err := websocket.Dial(b.Context(), url, &websocket.DialOptions{HTTPClient: &http.Client{}})
	if err != nil {
		b.Fatal(err)
	}
	defer conn.CloseNow() // the session is left alone
	conn.SetReadLimit(-1)
	go func() {
		for {
			if _, _, err := conn.Read(context.Background()); err != nil {
				return
			}
		}
	}()
	frame := make([]byte, 640)
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		if err := conn.Write(context.Background(), websocket.MessageBinary, frame); err != nil {
			b.Fatal(err)
		}
	}
}
