package web

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"testing"
	"time"
)

// A client's frame, masked with a key that is not zero.
func clientFrame(first byte, payload []byte) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n <= maxControl:
		b = append(b, maskedFrame|byte(n))
	case n < 1<<16:
		b = append(b, maskedFrame|126, byte(n>>8), byte(n))
	default:
		b = append(b, maskedFrame|127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	key := [maskBytes]byte{1, 2, 3, 4}
	b = append(b, key[:]...)
	for i, v := range payload {
		b = append(b, v^key[i%maskBytes])
	}
	return b
}

// connected are two ends of a connection of the system, or of a pipe, which is none of the system's.
func connected(t *testing.T, system bool) (client, server net.Conn) {
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

// However a client's bytes are cut and whatever sizes are read, the library gets all of them but the pongs, and those come in
// their order.
func TestSocketConnTakesPongsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, system := range []bool{true, false} {
		for range 30 {
			var all, want []byte
			var pongs [][]byte
			inParts := false
			for range 40 {
				payload := make([]byte, []int{0, 3, 124, 125, 126, 640, 5000, 70000}[r.IntN(8)])
				for i := range payload {
					payload[i] = byte(r.Uint32())
				}
				if r.IntN(3) == 0 {
					payload = payload[:min(len(payload), maxControl)]
					pongs = append(pongs, slices.Clone(payload))
					all = append(all, clientFrame(finalFrame|opcodePong, payload)...)
					continue
				}
				first := []byte{finalFrame | opcodeBinary, finalFrame | opcodeText, opcodeBinary}[r.IntN(3)]
				if inParts {
					first = []byte{opcodeMore, finalFrame | opcodeMore}[r.IntN(2)]
				}
				inParts = first&finalFrame == 0
				f := clientFrame(first, payload)
				all, want = append(all, f...), append(want, f...)
			}
			client, server := connected(t, system)
			early := r.IntN(aheadSize)
			conn := newSocketConn(server, all[:early])
			var heard [][]byte
			conn.OnPong(func(p []byte) { heard = append(heard, slices.Clone(p)) })
			go func() {
				for rest := all[early:]; len(rest) > 0; {
					n := min(len(rest), 1+r.IntN([]int{1, 10, 3000, 100000}[r.IntN(4)]))
					if _, err := client.Write(rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
				}
				_ = client.Close()
			}()
			var got []byte
			buf := make([]byte, 20000)
			conn.Await()
			for sizes := rand.New(rand.NewPCG(3, 4)); ; {
				if conn.in.left == 0 { // between frames
					switch sizes.IntN(4) {
					case 0:
						conn.Gather(time.Millisecond)
						conn.Try()
					case 1:
						conn.Try()
					}
				}
				n, err := conn.Read(buf[:1+sizes.IntN([]int{1, 64, 700, 20000}[sizes.IntN(4)])])
				got = append(got, buf[:n]...)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("system %v: read are %d bytes, want %d", system, len(got), len(want))
			}
			if !slices.EqualFunc(heard, pongs, bytes.Equal) {
				t.Fatalf("system %v: %d pongs, want %d", system, len(heard), len(pongs))
			}
		}
	}
}

// Binary messages that are whole, masked and short enough are taken past the library, all others are left to it, each byte once.
func TestSocketConnGivesShortMessagesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		var all, want, taken, left []byte
		pongs, pings := 0, 0
		for range 60 {
			payload := make([]byte, []int{0, 1, 7, 125, 126, 640, 1501, 5000}[r.IntN(8)])
			for i := range payload {
				payload[i] = byte(r.Uint32())
			}
			first := []byte{0x82, 0x82, 0x81, 0x8a}[r.IntN(4)]
			if first == finalFrame|opcodePong {
				payload = payload[:min(len(payload), maxControl)]
				pings++
			} else {
				want = append(want, payload...)
			}
			all = append(all, clientFrame(first, payload)...)
		}
		client, server := connected(t, true)
		conn := newSocketConn(server, nil)
		conn.OnPong(func([]byte) { pongs++ })
		go func() {
			_, _ = client.Write(all)
			_ = client.Close()
		}()
		var got []byte
		for {
			var p [aheadSize]byte
			if n := conn.TakeBinary(p[:1000]); n > 0 {
				got, taken = append(got, p[:n]...), append(taken, p[:n]...)
				continue
			}
			payload, err := readFrame(conn)
			if err != nil {
				break
			}
			got, left = append(got, payload...), append(left, payload...)
		}
		if !bytes.Equal(got, want) || pongs != pings || len(taken) == 0 || len(left) == 0 {
			t.Fatalf("%d bytes of %d, %d of them taken, %d left, %d pongs of %d", len(got), len(want), len(taken), len(left), pongs, pings)
		}
	}
}

// readFrame reads one frame of a client as the library does, and returns its payload.
func readFrame(from io.Reader) ([]byte, error) {
	head := make([]byte, 0, longestHead)
	for {
		head = head[:len(head)+1]
		if _, err := io.ReadFull(from, head[len(head)-1:]); err != nil {
			return nil, err
		}
		if n, frame, whole := frameHead(head); whole {
			payload := make([]byte, int(frame)-n)
			_, err := io.ReadFull(from, payload)
			unmask(payload, payload, [maskBytes]byte(head[n-maskBytes:]))
			return payload, err
		}
	}
}

// An end that was found by waiting is told to the reader, who may have something to read before.
func TestSocketConnAwaitsAnEnd(t *testing.T) {
	client, server := connected(t, true)
	conn := newSocketConn(server, nil)
	frame := clientFrame(0x82, []byte("x"))
	if _, err := client.Write(frame); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
	conn.Await()
	conn.Await() // there is something
	if !conn.Try() {
		t.Error("there is nothing to try")
	}
	got, err := io.ReadAll(conn)
	if !bytes.Equal(got, frame) || err != nil {
		t.Errorf("read %x, %v", got, err)
	}
	conn.Await()
	if !conn.Try() {
		t.Error("an end is not found by trying")
	}
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes at the end, %v", n, err)
	}
	_ = server.SetReadDeadline(time.Unix(1, 0))
	conn.Await()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
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

// A frame goes out at once, however many pieces the library makes of it, and a ping behind it with the same write.
func TestSocketConnWritesFramesWhole(t *testing.T) {
	w := &writes{}
	conn := newSocketConn(w, nil)
	frame := append([]byte{0x81, 126, 1, 44}, bytes.Repeat([]byte("x"), 300)...)
	ping := []byte{0x89, 1, '7'}
	put := func(pieces ...[]byte) {
		for _, p := range pieces {
			if n, err := conn.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
	}
	put(frame[:3], frame[3:64], frame[64:])
	put(frame)
	conn.PingBehind([]byte("7"))
	put(frame[:64])
	if err := conn.Ping([]byte("7")); err != nil { // not within a frame
		t.Fatal(err)
	}
	put(frame[64:])
	if err := conn.Ping([]byte("7")); err != nil {
		t.Fatal(err)
	}
	long := append([]byte{0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70}, make([]byte, 70000)...)
	conn.PingBehind([]byte("7"))
	put(long[:64], long[64:])
	want := [][]byte{frame, frame, slices.Concat(frame, ping), ping, long[:64], long[64:], ping}
	if !slices.EqualFunc(w.all, want, bytes.Equal) {
		t.Errorf("%d writes, want %d", len(w.all), len(want))
		for _, p := range w.all {
			t.Logf("%d bytes, beginning with %.20x", len(p), p)
		}
	}
}

// A message past the library is one frame and one write, with the ping behind it. Within a frame of the library, and after a close,
// there is none.
func TestSocketConnWritesText(t *testing.T) {
	w := &writes{}
	conn := newSocketConn(w, nil)
	text := func(size int, want bool) []byte {
		t.Helper()
		p := bytes.Repeat([]byte("x"), size)
		if done, err := conn.WriteText(p); done != want || err != nil {
			t.Fatal(done, err)
		}
		return p
	}
	conn.PingBehind([]byte("7"))
	want := [][]byte{
		slices.Concat([]byte{0x81, 125}, text(125, true), []byte{0x89, 1, '7'}),
		slices.Concat([]byte{0x81, 126, 0, 126}, text(126, true)),
		slices.Concat([]byte{0x81, 126, 1, 44}, text(300, true)),
		{0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70}, text(70000, true),
		{0x82, 2, 'h', 'a'}, {0x88, 2, 3, 232},
	}
	for _, part := range [][]byte{{0x82, 2, 'h'}, {'a'}, {0x88, 2, 3, 232}} {
		if _, err := conn.Write(part); err != nil {
			t.Fatal(err)
		}
		text(1, len(part) == 1) // only behind the frame that was whole
	}
	want = slices.Insert(want, 6, []byte{0x81, 1, 'x'})
	if !slices.EqualFunc(w.all, want, bytes.Equal) {
		t.Errorf("%d writes, want %d", len(w.all), len(want))
		for _, p := range w.all {
			t.Logf("%d bytes, beginning with %.20x", len(p), p)
		}
	}
}

// Messages that have come in a pause cost no allocation, and a connection that waits has no buffer.
func TestSocketConnAllocatesNothing(t *testing.T) {
	client, server := connected(t, true)
	conn := newSocketConn(server, nil)
	conn.OnPong(func([]byte) {})
	frames := slices.Concat(clientFrame(0x82, make([]byte, 640)), clientFrame(finalFrame|opcodePong, []byte("12")), clientFrame(0x82, make([]byte, 640)))
	buf, answer, ping := make([]byte, 700), []byte{0x81, 1, 'x'}, []byte("12")
	n := testing.AllocsPerRun(200, func() {
		if _, err := client.Write(frames); err != nil {
			t.Fatal(err)
		}
		conn.Await()
		for left := 2 * (640 + 8); left > 0; {
			got, err := conn.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			left -= got
		}
		if conn.in.buf != nil {
			t.Error("a connection without anything to read has a buffer")
		}
		conn.PingBehind(ping)
		if _, err := conn.Write(answer); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// An empty message of bytes is one nevertheless: it is left to the library, which knows it from none.
func TestTakeBinaryLeavesAnEmptyMessage(t *testing.T) {
	for _, system := range []bool{true, false} {
		client, server := connected(t, system)
		empty := clientFrame(0x82, nil)
		conn := newSocketConn(server, append(clientFrame(0x82, []byte("audio")), empty...))
		p := make([]byte, 100)
		if n := conn.TakeBinary(p); string(p[:n]) != "audio" {
			t.Fatalf("took %q", p[:n])
		}
		if n := conn.TakeBinary(p); n != 0 || conn.Empty() {
			t.Fatalf("took %d bytes of an empty message, nothing is left: %v", n, conn.Empty())
		}
		if n, err := io.ReadFull(conn, p[:len(empty)]); err != nil || !bytes.Equal(p[:n], empty) {
			t.Errorf("read %x, %v", p[:n], err)
		}
		_ = client.Close()
	}
}
