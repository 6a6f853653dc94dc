package wsconn

import (
	"io"
	"net"
	"testing"
	"time"
)

func TestHungUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if newConn(server, nil).HungUp() {
		t.Error("an idle client has hung up")
	}
	if _, err := client.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if newConn(server, nil).HungUp() {
		t.Error("a client that has sent something has hung up")
	}
	if newConn(server, nil).HasLeft() {
		t.Error("a client that has sent something has left")
	}
	if _, err := client.Write([]byte("what was sent before")); err != nil {
		t.Fatal(err)
	}
	_ = client.(*net.TCPConn).CloseWrite()
	for begin := time.Now(); !newConn(server, nil).HasLeft(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("a client has not left that sends nothing more")
		}
	}
	if _, err := io.ReadAll(server); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	for begin := time.Now(); !newConn(server, nil).HungUp(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("a client that has closed has not hung up")
		}
	}
	_ = server.Close()
	if !newConn(server, nil).HungUp() {
		t.Error("a connection closed here is open")
	}
	if !newConn(server, nil).HasLeft() {
		t.Error("a connection closed here is open")
	}
	if pipe, _ := net.Pipe(); newConn(pipe, nil).HungUp() || newConn(pipe, nil).HasLeft() {
		t.Error("a pipe is known to be closed")
	}
}
