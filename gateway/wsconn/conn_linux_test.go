package wsconn

import (
	"bytes"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// During a pause the system does not report little. What has come is there after it; where
// nothing has, a single byte is noticed.
func TestMessagesGather(t *testing.T) {
	client, server := connected(t, true)
	conn := newConn(server, nil)
	gather := func(want int) {
		if left := conn.Gather(4 * GatherStep); left <= 0 || left > 4*GatherStep {
			t.Fatalf("a pause of %v", left)
		}
		if got := toldFrom(t, server); got != want {
			t.Fatalf("the system tells from %d bytes on, want %d", got, want)
		}
	}
	send := func(b []byte) {
		if _, err := client.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	receive := func(want byte) {
		t.Helper()
		if _, err := conn.Next(); err != nil {
			t.Fatal(err)
		}
		if p, err := readMessage(conn, 10); err != nil || !bytes.Equal(p, []byte{want}) {
			t.Fatalf("read %x, %v, want %x", p, err, want)
		}
	}
	for round := range 3 {
		frame := clientFrame(0x82, []byte{byte(round)})
		gather(gatherSize)
		if conn.Try() || conn.Buffered() {
			t.Fatal("something came out of nothing")
		}
		send(frame)
		for !conn.Try() { // the network may take a moment
			time.Sleep(time.Millisecond)
		}
		if conn.Gather(4*GatherStep) != 0 {
			t.Fatal("a pause although there is something")
		}
		receive(byte(round))
		gather(gatherSize)
		read := make(chan struct{})
		go func() {
			defer close(read)
			conn.Await()
		}()
		for toldFrom(t, server) != 1 {
			time.Sleep(time.Millisecond)
		}
		if conn.Try() || conn.Gather(4*GatherStep) != 0 {
			t.Fatal("two read at a time")
		}
		for _, b := range frame {
			send([]byte{b})
		}
		<-read
		receive(byte(round))
	}
}

// After a pause, a part of a long message is noticed although less than a buffer of it came.
func TestALongMessageIsReadBehindAPause(t *testing.T) {
	client, server := connected(t, true)
	conn := newConn(server, nil)
	if conn.Gather(4*GatherStep) == 0 {
		t.Fatal("no pause")
	}
	frame := clientFrame(0x82, make([]byte, 4*aheadSize))
	const first, second = aheadSize + 100, 1000
	if _, err := client.Write(frame[:first]); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Next(); err != nil {
		t.Fatal(err)
	}
	read := make(chan int)
	go func() {
		n, _, _ := conn.Read(make([]byte, len(frame)))
		read <- n
	}()
	for toldFrom(t, server) != 1 {
		time.Sleep(time.Millisecond)
	}
	if _, err := client.Write(frame[first : first+second]); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	if n := <-read; n != first+second-8-6 {
		t.Errorf("read %d bytes", n)
	}
}

// The ends of a connection's pauses lie a pause apart, whenever these begin.
func TestPausesEndWhereTheyAlwaysDo(t *testing.T) {
	const pause = 20 * GatherStep
	phase, now := 7*int64(GatherStep), int64(1e9)
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

// toldFrom is from how many bytes on the system reports what a connection has received.
func toldFrom(t *testing.T, conn net.Conn) (n int) {
	t.Helper()
	raw, ok := rawConn(conn)
	if !ok {
		t.Fatal("not one of the system's connections")
	}
	var err error
	if fault := raw.Control(func(fd uintptr) {
		n, err = unix.GetsockoptInt(int(fd), unix.SOL_SOCKET,
			unix.SO_RCVLOWAT)
	}); fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	return n
}
