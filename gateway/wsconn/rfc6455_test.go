package wsconn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// outcome is what comes of a client's bytes.
type outcome struct {
	messages []string // "text" or "binary" and what they hold
	answers  []string // "pong" or "close" and their payload
	end      string   // of reading
}

// scripted is the connection of a client that sends what it has, some bytes at a time, and then
// nothing more.
type scripted struct {
	net.Conn
	sent  []byte
	piece int
	heard bytes.Buffer
}

func (s *scripted) Read(p []byte) (int, error) {
	if len(s.sent) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.sent[:min(len(s.sent), s.piece)])
	s.sent = s.sent[n:]
	return n, nil
}

func (s *scripted) Write(p []byte) (int, error)     { return s.heard.Write(p) }
func (s *scripted) Close() error                    { return nil }
func (s *scripted) SetReadDeadline(time.Time) error { return nil }

// serve reads what a client sends to the end, closes the connection as a violation asks, and
// returns what came of it.
func serve(sent []byte, piece int) outcome {
	client := &scripted{sent: sent, piece: piece}
	o := readAll(newConn(client, nil))
	o.answers = readAnswers(&client.heard)
	return o
}

// readAll reads messages to the end.
func readAll(conn *Conn) (o outcome) {
	for {
		kind, err := conn.Next()
		var message []byte
		if err == nil {
			message, err = readMessage(conn, 100)
		}
		if err == nil {
			o.messages = append(o.messages, map[Kind]string{Text: "text ", Binary: "binary "}[kind]+string(message))
			continue
		}
		o.end = endOf(err)
		if v, ok := errors.AsType[*Violation](err); ok {
			conn.Close(v.Code, v.Reason, time.Minute)
		}
		return o
	}
}

func endOf(err error) string {
	if v, ok := errors.AsType[*Violation](err); ok {
		return fmt.Sprint("violation ", v.Code)
	}
	if c, ok := errors.AsType[*CloseError](err); ok {
		return fmt.Sprint("closed ", c.Code, " ", c.Reason)
	}
	return "cut"
}

// readAnswers reads the frames of a server, which are short and not masked.
func readAnswers(from io.Reader) (answers []string) {
	var head [2]byte
	for {
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return answers
		}
		payload := make([]byte, head[1])
		if _, err := io.ReadFull(from, payload); err != nil {
			return answers
		}
		switch head[0] {
		case finalFrame | opcodePong:
			answers = append(answers, "pong "+string(payload))
		case finalFrame | opcodeClose:
			code := ""
			if len(payload) >= 2 {
				code = fmt.Sprint(binary.BigEndian.Uint16(payload))
			}
			answers = append(answers, "close "+code)
		default:
			answers = append(answers, fmt.Sprintf("%x", head))
		}
	}
}

// f is a masked frame.
func f(first byte, payload string) string { return string(clientFrame(first, []byte(payload))) }

// Every case is one of a section of RFC 6455.
func TestRFC6455(t *testing.T) {
	euro := "€"
	bye := f(0x88, "\x03\xe8")
	for name, c := range map[string]struct {
		sent     string
		messages []string
		answers  []string
		end      string
	}{
		"5.2 a length of 7 bits": {
			f(0x82, strings.Repeat("x", 125)) + bye,
			[]string{"binary " + strings.Repeat("x", 125)}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.2 a length of 16 bits": {
			f(0x82, strings.Repeat("x", 126)) + bye,
			[]string{"binary " + strings.Repeat("x", 126)}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.2 a length of 64 bits": {
			f(0x81, strings.Repeat("x", 1<<16)) + bye,
			[]string{"text " + strings.Repeat("x", 1<<16)}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.2 a length longer than it needs": {
			"\x82\xfe\x00\x01\x00\x00\x00\x00a" + bye,
			[]string{"binary a"}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.2 a length of 64 bits and more": {
			"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
			nil, []string{"close 1002"}, "violation 1002",
		},
		"5.2 reserved bit 1":           {f(0xc1, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.2 reserved bit 2":           {f(0xa2, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.2 reserved bit 3 of a pong": {f(0x9a, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.2 opcode 3":                 {f(0x83, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.2 opcode 15":                {f(0x8f, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.1 no mask":                  {"\x81\x02ab", nil, []string{"close 1002"}, "violation 1002"},
		"5.1 a pong without a mask":    {"\x8a\x00", nil, []string{"close 1002"}, "violation 1002"},
		"5.4 parts": {
			f(1, "a") + f(0, "b") + f(0x80, "c") + bye,
			[]string{"text abc"}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.4 empty parts": {
			f(2, "") + f(0, "") + f(0x80, "") + bye,
			[]string{"binary "}, []string{"close 1000"}, "closed 1000 ",
		},
		"5.4 a ping between parts": {
			f(1, "a") + f(0x89, "p") + f(0x80, "b") + bye,
			[]string{"text ab"}, []string{"pong p", "close 1000"}, "closed 1000 ",
		},
		"5.4 a close between parts": {f(1, "a") + bye, nil, []string{"close 1000"}, "closed 1000 "},
		"5.4 nothing to continue":   {f(0x80, "a"), nil, []string{"close 1002"}, "violation 1002"},
		"5.4 nothing to continue any more": {
			f(0x81, "a") + f(0, "b"),
			[]string{"text a"}, []string{"close 1002"}, "violation 1002",
		},
		"5.4 a message within another": {f(1, "a") + f(0x82, "b"), nil, []string{"close 1002"}, "violation 1002"},
		"5.5 a ping in parts":          {f(9, ""), nil, []string{"close 1002"}, "violation 1002"},
		"5.5 a long ping": {
			f(0x89, strings.Repeat("x", 126)),
			nil, []string{"close 1002"}, "violation 1002",
		},
		"5.5 the longest ping": {
			f(0x89, strings.Repeat("x", 125)) + bye,
			nil, []string{"pong " + strings.Repeat("x", 125), "close 1000"}, "closed 1000 ",
		},
		"5.5.1 a close without a code":   {f(0x88, ""), nil, []string{"close "}, "closed 1005 "},
		"5.5.1 a close with a reason":    {f(0x88, "\x0f\xa0why"), nil, []string{"close 4000"}, "closed 4000 why"},
		"5.5.1 half a code":              {f(0x88, "\x03"), nil, []string{"close 1002"}, "violation 1002"},
		"5.5.1 a reason that is no text": {f(0x88, "\x03\xe8\xff"), nil, []string{"close 1007"}, "violation 1007"},
		"5.5.1 frames behind a close": {
			bye + f(0x81, "a") + f(0x89, "p"),
			nil, []string{"close 1000"}, "closed 1000 ",
		},
		"5.5.3 pongs nobody asked for": {
			f(0x8a, "x") + f(0x81, "a") + f(0x8a, "") + bye,
			[]string{"text a"}, []string{"close 1000"}, "closed 1000 ",
		},
		"7.1.5 no close":               {f(0x81, "a"), []string{"text a"}, nil, "cut"},
		"7.1.5 the end within a frame": {f(0x81, "abc")[:8], nil, nil, "cut"},
		"7.1.5 the end within a head":  {f(0x81, "abc")[:3], nil, nil, "cut"},
		"8.1 text": {
			f(0x81, "ä"+euro+"😀") + bye,
			[]string{"text ä€😀"}, []string{"close 1000"}, "closed 1000 ",
		},
		"8.1 a character in two parts": {
			f(1, euro[:1]) + f(0x80, euro[1:]) + bye,
			[]string{"text €"}, []string{"close 1000"}, "closed 1000 ",
		},
		"8.1 no text":          {f(0x81, "\xff"), nil, []string{"close 1007"}, "violation 1007"},
		"8.1 half a character": {f(0x81, euro[:2]), nil, []string{"close 1007"}, "violation 1007"},
		"8.1 a surrogate":      {f(0x81, "\xed\xa0\x80"), nil, []string{"close 1007"}, "violation 1007"},
		"8.1 bytes need not be text": {
			f(0x82, "\xff") + bye,
			[]string{"binary \xff"}, []string{"close 1000"}, "closed 1000 ",
		},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			o := serve([]byte(c.sent), size)
			if !slices.Equal(o.messages, c.messages) || !slices.Equal(o.answers, c.answers) || o.end != c.end {
				t.Errorf("%s, %d bytes at a time: %q", name, size, o)
			}
		}
	}
}

// A close may have the codes of section 7.4 and no others.
func TestCloseCodes(t *testing.T) {
	for _, code := range []uint16{0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535} {
		if validCode(code) {
			t.Errorf("%d may be sent", code)
		}
	}
	for _, code := range []uint16{1000, 1003, 1007, 1014, 3000, 3999, 4000, 4999} {
		if !validCode(code) {
			t.Errorf("%d may not be sent", code)
		}
	}
}

// Close waits for the client's answer after all that it has sent before, whoever reads meanwhile,
// and no longer than it is asked to.
func TestCloseAwaitsTheAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		takes  time.Duration
		read   bool // somebody else reads as well
	}{
		"answered":               {f(0x88, "\x03\xe8"), 0, false},
		"answered behind data":   {f(2, "a") + f(0x89, "p") + f(0x80, "b") + f(0x88, "\x03\xe8"), 0, false},
		"answered to the reader": {f(0x81, "a") + f(0x82, "b") + f(0x88, "\x03\xe8"), 0, true},
		"never answered":         {"", time.Second, false},
		"not to the reader":      {f(0x81, "a"), time.Second, true},
		"violated":               {"\x81\x00", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := net.Pipe()
				conn := newConn(server, nil)
				if c.read {
					go readAll(conn)
					synctest.Wait()
				}
				go func() {
					frame := make([]byte, 4)
					if _, err := io.ReadFull(client, frame); err != nil ||
						!bytes.Equal(frame, []byte{0x88, 2, 3, 232}) {
						t.Errorf("%x, %v", frame, err)
					}
					_, _ = io.WriteString(client, c.answer)
				}()
				began := time.Now()
				conn.Close(1000, "", time.Second)
				if took := time.Since(began); took != c.takes {
					t.Errorf("closed after %v", took)
				}
				if _, err := client.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("not closed: %v", err)
				}
				synctest.Wait()
			})
		})
	}
}

// A client that reads nothing holds up neither a close nor the answer to its ping for longer than
// either may take.
func TestAClientThatReadsNothingIsCut(t *testing.T) {
	for name, do := range map[string]func(conn *Conn, client net.Conn){
		"close": func(conn *Conn, _ net.Conn) { conn.Close(1000, "", time.Second) },
		"pong": func(conn *Conn, client net.Conn) {
			go func() { _, _ = io.WriteString(client, f(0x89, "")) }()
			if _, err := conn.Next(); err == nil {
				t.Error("a message")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := net.Pipe()
				conn := newConn(server, nil)
				var stuck error
				go func() { stuck = conn.WriteText([]byte("text")) }()
				synctest.Wait()
				began := time.Now()
				do(conn, client)
				if took := time.Since(began); took != controlWithin {
					t.Errorf("after %v", took)
				}
				if synctest.Wait(); stuck == nil {
					t.Error("a message was written")
				}
			})
		})
	}
}

// expected is the outcome of a client's bytes as a plain reading of the RFC has it, frame by frame.
func expected(sent []byte) (o outcome) {
	o.end = "cut"
	var message []byte
	kind := ""
	for b := sent; ; {
		head, frame, whole := frameHead(b)
		if !whole {
			return o
		}
		first, masked, size := b[0], b[1]&0x80 != 0, frame-int64(head)
		opcode, final, isControl := first&15, first&0x80 != 0, first&8 != 0
		broken := first&0x70 != 0 || !masked || opcode > 10 || opcode > 2 && opcode < 8 || size > maxPayload ||
			isControl && (size > 125 || !final) || !isControl && (opcode == 0) != (kind != "")
		if broken {
			return o.violated(1002)
		}
		payload := bytes.Clone(b[head:min(int64(len(b)), frame)])
		for i := range payload {
			payload[i] ^= b[head-4+i%4]
		}
		if int64(len(b)) < frame {
			return o
		}
		b = b[frame:]
		switch opcode {
		case 8:
			return o.closed(payload)
		case 9:
			o.answers = append(o.answers, "pong "+string(payload))
			continue
		case 10:
			continue
		case 1:
			kind = "text "
		case 2:
			kind = "binary "
		}
		message = append(message, payload...)
		if !final {
			continue
		}
		if kind == "text " && !utf8.Valid(message) {
			return o.violated(1007)
		}
		o.messages = append(o.messages, kind+string(message))
		message, kind = nil, ""
	}
}

func (o outcome) violated(code int) outcome {
	o.end, o.answers = fmt.Sprint("violation ", code), append(o.answers, fmt.Sprint("close ", code))
	return o
}

func (o outcome) closed(payload []byte) outcome {
	switch {
	case len(payload) == 0:
		o.end, o.answers = "closed 1005 ", append(o.answers, "close ")
		return o
	case len(payload) == 1 || !validCode(binary.BigEndian.Uint16(payload)):
		return o.violated(1002)
	case !utf8.Valid(payload[2:]):
		return o.violated(1007)
	}
	code := binary.BigEndian.Uint16(payload)
	o.end, o.answers = fmt.Sprint("closed ", code, " ", string(payload[2:])),
		append(o.answers, fmt.Sprint("close ", code))
	return o
}

// FuzzReading reads what a client may send, however it is cut, as the RFC has it. Text that is not
// UTF-8 may be noticed before its message is whole.
func FuzzReading(f *testing.F) {
	for _, first := range []byte{0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0x8a, 0xc1} {
		f.Add(slices.Concat(clientFrame(first, []byte("ab")), clientFrame(0x82, []byte("c"))), byte(3))
	}
	f.Add(slices.Concat(clientFrame(1, []byte("\xe2")), clientFrame(0x89, nil), clientFrame(0x80, []byte("\x82\xac"))),
		byte(1))
	f.Add(slices.Concat(clientFrame(1, []byte("\xff")), clientFrame(0x89, nil), clientFrame(0x83, nil)), byte(200))
	f.Fuzz(func(t *testing.T, sent []byte, size byte) {
		got, want := serve(sent, 1+int(size)), expected(sent)
		if got.end == "violation 1007" && want.end != got.end { // the rest was not read
			if !slices.Equal(got.messages, want.messages) {
				t.Errorf("%q, want %q", got, want)
			}
			return
		}
		if !slices.Equal(got.messages, want.messages) || !slices.Equal(got.answers, want.answers) ||
			got.end != want.end {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
