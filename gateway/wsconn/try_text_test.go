//go:build linux

package wsconn

import (
	"bytes"
	"io"
	"net"
	"testing"
)

// What the system does not take of a message immediately comes before everything that is written
// later, and nothing is tried meanwhile.
func TestTryTextLeavesARest(t *testing.T) {
	client, server := connected(t, true)
	if err := server.(*net.TCPConn).SetWriteBuffer(1); err != nil { // the system's least
		t.Fatal(err)
	}
	conn := newConn(server, nil)
	var want []byte
	for i := byte(0); ; i++ {
		text := bytes.Repeat([]byte{'a' + i%26}, 3000)
		done, err := conn.TryText(text)
		if err != nil {
			t.Fatal(err)
		}
		if !done {
			break
		}
		want = append(appendHead(want, opcodeText, len(text)), text...)
	}
	if !conn.HasRest() {
		t.Fatal("nothing is left")
	}
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(client)
		got <- all
	}()
	if err := conn.CatchUp(); err != nil || conn.HasRest() {
		t.Fatalf("error %v, something is left: %v", err, conn.HasRest())
	}
	if err := conn.WriteText([]byte("last")); err != nil {
		t.Fatal(err)
	}
	want = append(appendHead(want, opcodeText, 4), "last"...)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if all := <-got; !bytes.Equal(all, want) {
		t.Errorf("%d bytes came, want %d, or others", len(all), len(want))
	}
}

// A connection that is not the system's is never tried.
func TestTryTextKnowsTheSystemsConnections(t *testing.T) {
	_, server := connected(t, false)
	if done, err := newConn(server, nil).TryText([]byte("text")); done || err != nil {
		t.Error(done, err)
	}
}
