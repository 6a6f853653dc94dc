package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

// habits are differences between clients.
type habits struct {
	piece     int  // ms of audio in a message
	text      bool // audio is sent as text
	perSocket bool // acks start from 0 on each socket, as pipecat's do
	noAcks    bool // it asks for none, and keeps all
	deaf      bool // the last acks before a cut do not reach it
}

// mic is a client that sends audio as it is spoken, and sends again on the next socket what is not
// acknowledged.
type mic struct {
	habits
	w   *bubble
	url string

	conn   *websocket.Conn // nil while it is away
	below  *deafConn
	closed chan struct{}

	mu     sync.Mutex
	kept   []byte
	count  int64 // bytes acknowledged, as it counts
	code   websocket.StatusCode
	finals []string // each once
}

// deafConn is a connection that receives nothing once it is deaf.
type deafConn struct {
	net.Conn
	deaf   atomic.Bool
	closed chan struct{}
	once   sync.Once
}

func (d *deafConn) Read(p []byte) (int, error) {
	n, err := d.Conn.Read(p)
	if d.deaf.Load() {
		<-d.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (d *deafConn) Close() error {
	d.once.Do(func() { close(d.closed) })
	return d.Conn.Close()
}

// connect opens a socket and sends the kept audio again.
func (m *mic) connect() {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := m.w.net.Dial(ctx, network, addr)
		m.below = &deafConn{Conn: conn, closed: make(chan struct{})}
		return m.below, err
	}
	transport := &http.Transport{DialContext: dial, DisableKeepAlives: true}
	conn, _, err := websocket.Dial(m.w.t.Context(), m.url,
		&websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		m.w.t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	m.conn, m.closed = conn, make(chan struct{})
	m.mu.Lock()
	again := bytes.Clone(m.kept)
	if m.perSocket {
		m.count = 0
	}
	m.mu.Unlock()
	go m.listen(conn, m.closed)
	if len(again) > 0 {
		m.send(again)
	}
}

func (m *mic) listen(conn *websocket.Conn, closed chan struct{}) {
	defer close(closed)
	for {
		_, text, err := conn.Read(context.Background())
		if err != nil {
			m.mu.Lock()
			m.code = websocket.CloseStatus(err)
			m.mu.Unlock()
			return
		}
		m.hear(parseFrame(m.w.t, string(text)))
	}
}

func (m *mic) hear(f frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f.final() != "" && !slices.Contains(m.finals, string(f.Data)) {
		m.finals = append(m.finals, string(f.Data))
	}
	if _, end, ok := f.byteRange(); ok && end > m.count {
		m.kept = m.kept[min(end-m.count, int64(len(m.kept))):]
		m.count = end
	}
}

// send sends audio; if the socket is closed it stays kept.
func (m *mic) send(p []byte) {
	kind := websocket.MessageBinary
	if m.text {
		p, kind = []byte(`{"type":"audio_chunk","data":{"chunk":"`+base64.StdEncoding.EncodeToString(p)+`"}}`),
			websocket.MessageText
	}
	_ = m.conn.Write(m.w.t.Context(), kind, p)
}

// play keeps audio, and sends it unless the client is away.
func (m *mic) play(p []byte) {
	m.mu.Lock()
	m.kept = append(m.kept, p...)
	m.mu.Unlock()
	if m.conn == nil {
		return
	}
	select {
	case <-m.closed: // by the server
		m.connect()
	default:
		m.send(p)
	}
}

func (m *mic) hangUp() {
	_ = m.conn.CloseNow()
	<-m.closed
	m.conn = nil
}

// cut is the time at which a socket is cut, and how long the client is away, in ms.
type cut struct{ at, away int }

// speak sends a whole recording over sockets that are cut, and reconnects until the session is
// done.
func (m *mic) speak(sound []byte, perMs int, cuts []cut) {
	m.connect()
	back := -1
	for at := 0; at*perMs < len(sound); at += m.piece {
		if len(cuts) > 0 && m.deaf && at >= cuts[0].at-250 && m.conn != nil {
			m.below.deaf.Store(true)
		}
		if len(cuts) > 0 && at >= cuts[0].at {
			m.hangUp()
			back, cuts = at+cuts[0].away, cuts[1:]
		}
		if back >= 0 && at >= back {
			m.connect()
			back = -1
		}
		m.play(sound[at*perMs : min((at+m.piece)*perMs, len(sound))])
		time.Sleep(time.Duration(m.piece) * time.Millisecond)
	}
	_ = m.conn.Write(m.w.t.Context(), websocket.MessageText, []byte(`{"type":"stop_recording"}`))
	for {
		<-m.closed
		if m.code == websocket.StatusNormalClosure {
			return
		}
		m.connect() // the stop is not sent again
	}
}

// heard plays a recording and returns the recorded audio and the finals.
func (w *bubble) heard(h habits, format string, sound []byte, perMs int, cuts []cut) ([]byte, []string) {
	w.t.Helper()
	var got struct{ ID, URL string }
	body := fmt.Sprintf(`{%s,"endpointing":0.3,"messages_config":{"receive_acknowledgments":%t}}`, format, !h.noAcks)
	if status := w.do("POST", "/v2/live", body, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	m := &mic{habits: h, w: w, url: got.URL}
	m.speak(sound, perMs, cuts)
	resp, err := w.request("GET", "/v2/live/"+got.ID+"/file", "", testKey)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	file, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var result messages.LiveResult
	if err := json.Unmarshal(w.job(got.ID).Result, &result); err != nil {
		w.t.Fatal(err)
	}
	var all []string
	for _, u := range result.Transcription.Utterances {
		all = append(all, fmt.Sprint(u.Start, u.End, u.Text))
	}
	if len(m.finals) != len(all) {
		w.t.Errorf("%d finals were heard, %d are in the record", len(m.finals), len(all))
	}
	return file, all
}

// Whatever a client sends while it does not speak, wherever its sockets are cut, and whichever acks
// it has seen: exactly its audio is recorded, and the finals are those of an undisturbed session.
func TestWhereverSocketsAreCut(t *testing.T) {
	t.Parallel()
	constant := func(ms int) []byte { return bytes.Repeat([]byte{0x39, 0x00}, 16*ms) }
	tone := func(ms int) []byte { // equal after 25 ms
		p := make([]byte, 0, 32*ms)
		for i := range 16 * ms {
			v := uint16(int16(40 * math.Sin(2*math.Pi*440*float64(i%400)/16000)))
			p = append(p, byte(v), byte(v>>8))
		}
		return p
	}
	pauses := map[string]struct {
		format string
		perMs  int
		pause  func(ms int) []byte
	}{
		"zeros": {`"encoding":"wav/pcm"`, 32, func(ms int) []byte { return make([]byte, 32*ms) }},
		"mu-law silence": {`"encoding":"wav/ulaw","sample_rate":8000`, 8,
			func(ms int) []byte { return bytes.Repeat([]byte{0xff}, 8*ms) }},
		"a constant": {`"encoding":"wav/pcm"`, 32, constant},
		"a tone":     {`"encoding":"wav/pcm"`, 32, tone},
		"speech":     {`"encoding":"wav/pcm"`, 32, func(ms int) []byte { return speech(float64(ms)/1000, 7) }},
	}
	clients := map[string]habits{
		"SDK": {piece: 100}, "SDK, acks are lost": {piece: 100, deaf: true}, "frames of 20 ms": {piece: 20},
		"pipecat": {piece: 20, text: true, perSocket: true}, "no acks": {piece: 100, noAcks: true},
	}
	cuts := [][]cut{{{2400, 700}, {4200, 400}}, {{1200, 300}, {2600, 800}, {4600, 0}}}
	inBubble(t, func(t *testing.T, w *bubble) {
		for what, p := range pauses {
			spoken := func(ms int, seed uint64) []byte {
				s := speech(float64(ms)/1000, seed)
				if p.perMs == 8 {
					s = muLaw(s)
				}
				return s
			}
			sound := slices.Concat(spoken(1500, 1), p.pause(2000), spoken(1500, 2), p.pause(500))
			calmBytes, calm := w.heard(habits{piece: 100}, p.format, sound, p.perMs, nil)
			if !bytes.HasSuffix(calmBytes, sound) || len(calm) == 0 {
				t.Fatalf("%s: undisturbed, %d of %d bytes, finals %q", what, len(calmBytes), len(sound), calm)
			}
			for who, h := range clients {
				for _, c := range cuts {
					recorded, got := w.heard(h, p.format, sound, p.perMs, c)
					if !bytes.Equal(recorded, calmBytes) || !reflect.DeepEqual(got, calm) {
						t.Errorf("%s, %s, cuts %v: %d bytes, want %d; finals\n%q, want\n%q", what, who, c,
							len(recorded), len(calmBytes), got, calm)
					}
				}
			}
		}
	})
}

// A client that has answered the ping that follows a final is not sent it again, however soon its
// socket breaks.
func TestFinalIsConfirmedInARoundTrip(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		_, url := w.create()
		c := w.call(url)
		shown, random := map[string]int{}, rand.New(rand.NewPCG(1, 2))
		for i := range 3 { // soon after each other, so that not each ping is due
			before := len(shown)
			quiet := make([]byte, 32000) // and nowhere like itself
			for at := 0; at < len(quiet); at += 2 {
				quiet[at] = byte(random.IntN(4))
			}
			if err := c.send(append(speech(2, uint64(i)), quiet...)); err != nil {
				t.Fatal(err)
			}
			c.await("final", func(f frame) bool {
				if f.final() != "" {
					shown[f.final()] = 1
				}
				return len(shown) > before
			})
		}
		// no message of the client is under way for as long as it takes to try a ping again
		time.Sleep(30 * time.Millisecond)
		c.hangUp()
		again := w.call(url)
		if err := again.stop(); err != nil {
			t.Fatal(err)
		}
		again.end()
		for _, f := range again.all() {
			if shown[f.final()] > 0 {
				t.Errorf("the final %s comes again", f.final())
			}
		}
	})
}

// muLaw returns every second sample in mu-law.
func muLaw(pcm []byte) []byte {
	out := make([]byte, 0, len(pcm)/4)
	for i := 0; i+1 < len(pcm); i += 4 {
		v := int(int16(uint16(pcm[i]) | uint16(pcm[i+1])<<8))
		sign := 0
		if v < 0 {
			v, sign = -v, 0x80
		}
		v = min(v, 32635) + 132
		exponent := 7
		for mask := 0x4000; exponent > 0 && v&mask == 0; mask >>= 1 {
			exponent--
		}
		out = append(out, byte(^(sign | exponent<<4 | v>>(exponent+3)&15)))
	}
	return out
}
