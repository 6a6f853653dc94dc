package wsconn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client's frame, masked with a key that is not zero.
func clientFrame(first byte, payload []byte) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n <= maxControl:
		b = append(b, maskedFrame|byte(n))
	case n < 1<<16:
		b = append(b, maskedFrame|length16, byte(n>>8), byte(n))
	default:
		b = append(b, maskedFrame|length64, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	key := [maskBytes]byte{1, 2, 3, 4}
	b = append(b, key[:]...)
	for i, v := range payload {
		b = append(b, v^key[i%maskBytes])
	}
	return b
}

// connected are two ends of a connection of the system, or of a pipe, which is none of the
// system's.
func connected(t testing.TB, system bool) (client, server net.Conn) {
	t.Helper()
	if !system {
		client, server = net.Pipe()
	} else {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
			t.Fatal(err)
		}
		if server, err = l.Accept(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = client.Close(); _ = server.Close() })
	return client, server
}

// readMessage reads the rest of a message, a piece of the size at a time.
func readMessage(c *Conn, size int) (whole []byte, err error) {
	buf := make([]byte, size)
	for {
		n, last, err := c.Read(buf)
		if err != nil {
			return nil, err
		}
		if whole = append(whole, buf[:n]...); last {
			return whole, nil
		}
	}
}

// However a client's bytes are cut and whatever sizes are read, its messages are read as they were
// sent, in one frame or in several, and its pongs are heard in their order.
func TestMessagesAreReadAsTheyWereSent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, system := range []bool{true, false} {
		for range 10 {
			var all, message []byte
			var want, pongs []string
			kind := Binary
			inParts := false
			for range 40 {
				payload := make([]byte, []int{0, 3, 124, 125, 126, 640, 5000, 70000}[r.IntN(8)])
				for i := range payload {
					payload[i] = byte('a' + r.IntN(26))
				}
				if r.IntN(3) == 0 {
					payload = payload[:min(len(payload), maxControl)]
					pongs = append(pongs, string(payload))
					all = append(all, clientFrame(finalFrame|opcodePong, payload)...)
					continue
				}
				first := byte(opcodeMore)
				if !inParts {
					kind = []Kind{Binary, Text}[r.IntN(2)]
					first = byte(kind)
				}
				if inParts = r.IntN(3) == 0; !inParts {
					first |= finalFrame
				}
				all = append(all, clientFrame(first, payload)...)
				if message = append(message, payload...); !inParts {
					want = append(want, fmt.Sprint(kind, " ", string(message)))
					message = nil
				}
			}
			got, heard := exchange(t, r, system, all)
			if !slices.Equal(got, want) || !slices.Equal(heard, pongs) {
				t.Fatalf("system %v: %d messages, want %d; %d pongs, want %d; or others", system, len(got), len(want),
					len(heard), len(pongs))
			}
		}
	}
}

// exchange sends bytes in pieces and returns the messages and pongs that are read from them, in all
// the ways there are to read.
func exchange(t *testing.T, r *rand.Rand, system bool, all []byte) (got, heard []string) {
	client, server := connected(t, system)
	early := r.IntN(min(aheadSize, len(all)))
	conn := newConn(server, all[:early])
	conn.OnPong(func(p []byte) { heard = append(heard, string(p)) })
	pieces := rand.New(rand.NewPCG(r.Uint64(), 0))
	go func() {
		for rest := all[early:]; len(rest) > 0; {
			n := min(len(rest), 1+pieces.IntN([]int{1, 10, 3000, 100000}[pieces.IntN(4)]))
			if _, err := client.Write(rest[:n]); err != nil {
				return
			}
			rest = rest[n:]
		}
		_ = client.Close()
	}()
	conn.Await()
	for {
		switch r.IntN(4) {
		case 0:
			conn.Gather(time.Millisecond)
			conn.Try()
		case 1:
			conn.Try()
		}
		kind, err := conn.Next()
		if err == io.EOF {
			return got, heard
		}
		if err != nil {
			t.Fatal(err)
		}
		message, err := readMessage(conn, 1+r.IntN([]int{1, 64, 700, 20000}[r.IntN(4)]))
		if err == io.EOF {
			return got, heard
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(kind, " ", string(message)))
	}
}

// Binary messages that are whole, masked and short enough come in batches, all others are read one
// by one, each byte once.
func TestBatchReadsShortMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		var all, want []byte
		batched, single, messages := 0, 0, 0
		pongs, sent := 0, 0
		for range 60 {
			payload := make([]byte, []int{0, 1, 7, 125, 126, 640, 1501, 5000}[r.IntN(8)])
			for i := range payload {
				payload[i] = byte('a' + r.IntN(26))
			}
			first := []byte{0x82, 0x82, 0x81, 0x8a}[r.IntN(4)]
			if first == finalFrame|opcodePong {
				payload = payload[:min(len(payload), maxControl)]
				sent++
			} else {
				want = append(want, payload...)
				messages++
			}
			all = append(all, clientFrame(first, payload)...)
		}
		client, server := connected(t, true)
		conn := newConn(server, nil)
		conn.OnPong(func([]byte) { pongs++ })
		go func() {
			_, _ = client.Write(all)
			_ = client.Close()
		}()
		var got []byte
		for {
			var p [aheadSize]byte
			if n, count := conn.Batch(p[:3000], 1000); n > 0 {
				got, batched = append(got, p[:n]...), batched+count
				continue
			}
			if _, err := conn.Next(); err != nil {
				break
			}
			message, err := readMessage(conn, 1000)
			if err != nil {
				t.Fatal(err)
			}
			got, single = append(got, message...), single+1
		}
		if !bytes.Equal(got, want) || pongs != sent || batched == 0 || single == 0 || batched+single != messages {
			t.Fatalf("%d bytes of %d, %d messages in batches and %d others of %d, %d pongs of %d",
				len(got), len(want), batched, single, messages, pongs, sent)
		}
	}
}

// An end that was found by waiting is reported to the reader, who may have something to read
// before.
func TestAwaitFindsAnEnd(t *testing.T) {
	client, server := connected(t, true)
	conn := newConn(server, nil)
	if _, err := client.Write(clientFrame(0x82, []byte("x"))); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	conn.Await()
	conn.Await() // there is something
	if !conn.Try() || !conn.Ready() {
		t.Error("there is nothing to try")
	}
	if _, err := conn.Next(); err != nil {
		t.Fatal(err)
	}
	if got, err := readMessage(conn, 10); string(got) != "x" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	conn.Await()
	if !conn.Try() || conn.Ready() {
		t.Error("an end is not found by trying")
	}
	if _, err := conn.Next(); err != io.EOF {
		t.Errorf("a message behind the end, %v", err)
	}
	_, server = connected(t, true)
	conn = newConn(server, nil)
	_ = server.SetReadDeadline(time.Unix(1, 0))
	conn.Await()
	if _, err := conn.Next(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read beyond a deadline: %v", err)
	}
}

// writes notes each write to it.
type writes struct {
	net.Conn
	all [][]byte
}

func (w *writes) Write(p []byte) (int, error) {
	w.all = append(w.all, bytes.Clone(p))
	return len(p), nil
}

func (w *writes) Close() error                    { return nil }
func (w *writes) Read([]byte) (int, error)        { return 0, io.EOF }
func (w *writes) SetReadDeadline(time.Time) error { return nil }

// A message is one frame and one write, with the ping after it. After a close nothing is written.
func TestFramesAreWrittenWhole(t *testing.T) {
	w := &writes{}
	conn := newConn(w, nil)
	text := func(size int) []byte {
		t.Helper()
		p := bytes.Repeat([]byte("x"), size)
		if err := conn.WriteText(p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	ping := []byte{0x89, 1, '7'}
	conn.PingBehind([]byte("7"))
	want := [][]byte{
		slices.Concat([]byte{0x81, 125}, text(125), ping),
		slices.Concat([]byte{0x81, 126, 0, 126}, text(126)),
		slices.Concat([]byte{0x81, 126, 1, 44}, text(300)),
	}
	long := []byte{0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70}
	conn.PingBehind([]byte("7"))
	want = append(want, long, text(70000), ping, ping, slices.Concat([]byte{0x81, 1, 'a', 0x81, 2, 'b', 'c'}),
		[]byte{0x88, 4, 3, 232, 'o', 'k'})
	if err := errors.Join(conn.Ping([]byte("7")), conn.WriteFrames(Frame([]byte("a")), Frame([]byte("bc")))); err !=
		nil {
		t.Fatal(err)
	}
	conn.Close(1000, "ok", time.Second)
	conn.Close(1001, "again", time.Second)
	for _, err := range []error{conn.WriteText([]byte("x")), conn.WriteFrames(Frame(nil)), conn.out.control(opcodePong,
		nil)} {
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("written after a close: %v", err)
		}
	}
	if !slices.EqualFunc(w.all, want, bytes.Equal) {
		t.Errorf("%d writes, want %d", len(w.all), len(want))
		for _, p := range w.all {
			t.Logf("%d bytes, beginning with %.20x", len(p), p)
		}
	}
}

// Messages that have come in a pause cost no allocation, and a connection that waits has no buffer.
func TestFramesAllocateNothing(t *testing.T) {
	client, server := connected(t, true)
	conn := newConn(server, nil)
	conn.OnPong(func([]byte) {})
	frames := slices.Concat(clientFrame(0x82, make([]byte, 640)), clientFrame(finalFrame|opcodePong, []byte("12")),
		clientFrame(0x82, make([]byte, 640)), clientFrame(0x81, make([]byte, 640)))
	buf, answer, ping := make([]byte, 2000), []byte("x"), []byte("12")
	n := testing.AllocsPerRun(200, func() {
		if _, err := client.Write(frames); err != nil {
			t.Fatal(err)
		}
		for left := 3 * 640; left > 0; {
			if !conn.Ready() {
				conn.Await()
			}
			if got, _ := conn.Batch(buf, len(buf)); got > 0 {
				left -= got
				continue
			}
			if _, err := conn.Next(); err != nil {
				t.Fatal(err)
			}
			got, _, err := conn.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			left -= got
		}
		if conn.in.buf != nil {
			t.Error("a connection without anything to read has a buffer")
		}
		conn.PingBehind(ping)
		if err := conn.WriteText(answer); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// An empty message of bytes is one nevertheless: Batch leaves it to Next.
func TestBatchLeavesAnEmptyMessage(t *testing.T) {
	for _, system := range []bool{true, false} {
		client, server := connected(t, system)
		conn := newConn(server, slices.Concat(clientFrame(0x82, []byte("audio")), clientFrame(0x82, nil)))
		p := make([]byte, 100)
		if n, messages := conn.Batch(p, 100); string(p[:n]) != "audio" || messages != 1 {
			t.Fatalf("%d messages, %q", messages, p[:n])
		}
		if n, _ := conn.Batch(p, 100); n != 0 || !conn.Buffered() {
			t.Fatalf("%d bytes of an empty message, something is left: %v", n, conn.Buffered())
		}
		if kind, err := conn.Next(); kind != Binary || err != nil {
			t.Fatal(kind, err)
		}
		if n, last, err := conn.Read(p); n != 0 || !last || err != nil {
			t.Errorf("read %d bytes, the end: %v, %v", n, last, err)
		}
		_ = client.Close()
	}
}
