package web

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Behind a pause in which something came, the system still does not tell of little; behind one in which nothing came it does, and a
// single byte is noticed.
func TestSocketConnAwaitsBehindAPause(t *testing.T) {
	client, server := connected(t, true)
	conn := newSocketConn(server, nil)
	conn.Pause(4 * gatherStep)
	receive := func(frame []byte) []byte {
		conn.Await()
		p := make([]byte, len(frame))
		n, _ := io.ReadFull(conn, p)
		return p[:n]
	}
	first := clientFrame(0x82, []byte{100})
	if _, err := client.Write(first); err != nil {
		t.Fatal(err)
	}
	if got := receive(first); !bytes.Equal(got, first) || toldFrom(t, server) != aheadSize {
		t.Fatalf("read %x and told from %d bytes on, want %x and %d", got, toldFrom(t, server), first, aheadSize)
	}
	read := make(chan []byte)
	for round := range 3 {
		if err := conn.in.raw.Control(func(fd uintptr) { conn.in.quiet = tellFrom(fd, aheadSize) }); err != nil {
			t.Fatal(err) // as if the pause had begun: it may be short
		}
		frame := clientFrame(0x82, []byte{byte(round)})
		go func() { read <- receive(frame) }()
		for toldFrom(t, server) != 1 { // the pause is over
			time.Sleep(time.Millisecond)
		}
		for _, b := range frame {
			if _, err := client.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if got := <-read; !bytes.Equal(got, frame) {
			t.Fatalf("round %d: read %x, want %x", round, got, frame)
		}
	}
}

// Behind a pause, a part of a long message is noticed although less than a buffer of it came.
func TestSocketConnReadsALongMessageBehindAPause(t *testing.T) {
	client, server := connected(t, true)
	conn := newSocketConn(server, nil)
	conn.Pause(4 * gatherStep)
	frame := clientFrame(0x82, make([]byte, 4*aheadSize))
	const first, second = aheadSize + 100, 1000
	if _, err := client.Write(frame[:first]); err != nil {
		t.Fatal(err)
	}
	conn.Await()
	p := make([]byte, len(frame))
	got := 0
	for got < first {
		n, err := conn.Read(p[got:])
		if err != nil {
			t.Fatal(err)
		}
		got += n
	}
	read := make(chan int)
	go func() {
		n, _ := conn.Read(p[got:])
		read <- n
	}()
	for toldFrom(t, server) != 1 {
		time.Sleep(time.Millisecond)
	}
	if _, err := client.Write(frame[first : first+second]); err != nil {
		t.Fatal(err)
	}
	if n := <-read; n != second || !bytes.Equal(p[:got+n], frame[:got+n]) {
		t.Errorf("read %d bytes behind %d", n, got)
	}
}

// The ends of a connection's pauses lie a pause apart, whenever these begin.
func TestPausesEndWhereTheyAlwaysDo(t *testing.T) {
	const pause = 20 * gatherStep
	phase, now := 7*int64(gatherStep), int64(1e9)
	for range 100 {
		left := untilGathered(now, phase, pause)
		if left <= 0 || left > pause {
			t.Fatalf("a pause of %v lasts %v", pause, left)
		}
		end := now + int64(left)
		if (end-phase)%int64(pause) != 0 {
			t.Fatalf("a pause ends %v behind the place for it", time.Duration((end-phase)%int64(pause)))
		}
		now = end + rand.Int64N(3*int64(pause))
	}
}

// toldFrom is from how many bytes on the system tells of what a connection has received.
func toldFrom(t *testing.T, conn net.Conn) (n int) {
	t.Helper()
	raw, ok := rawConn(conn)
	if !ok {
		t.Fatal("not one of the system's connections")
	}
	var err error
	if fault := raw.Control(func(fd uintptr) { n, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVLOWAT) }); fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	return n
}
