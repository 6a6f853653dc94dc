package calls

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/tracks"
)

// Encoding is one of the encodings that services send.
type Encoding struct {
	Name    string // the gateway's
	Width   int    // bytes of a sample
	Silence byte   // of which a sample of silence consists
}

// The encodings: of G.711, and linear of 16 bit, low byte first.
var (
	MuLaw  = Encoding{"wav/ulaw", 1, 0xff}
	ALaw   = Encoding{"wav/alaw", 1, 0xd5}
	Linear = Encoding{"wav/pcm", 2, 0}
)

const (
	lag       = 250 // ms that one track may lag another until it counts as silent
	longest   = 60  // s of a gap that becomes silence at a time
	jitter    = 60  // ms by which the time of a piece that follows another may be wrong
	mostAhead = 25  // pieces that may be missing until those after them are taken
	maxNumber = 1 << 40
)

// Media makes the audio of a session of the pieces that a service sends of each track. It belongs
// to one goroutine.
type Media struct {
	mixer *tracks.Mixer
	rate  int64 // samples a second
	width int64 // bytes of a sample
	ahead int64 // bytes of silence that one gap becomes at most
	order []order
	ends  []int64 // bytes of each track that were handed on
	first int64   // ms, of the piece that came first; -1: none has come
	names []string
}

// Piece is a piece of a track.
type Piece struct {
	Track string
	Chunk string // its number within the track, from 1; empty: pieces come in order
	At    string // ms from the beginning of the stream; empty: where the piece before has ended
	Audio []byte
}

// NewMedia returns the audio of so many named tracks. The names are those that services use;
// with one track, any of the names is that track until a second one is heard, which is left out.
func NewMedia(e Encoding, rate int, names ...string) *Media {
	m := &Media{rate: int64(rate), width: int64(e.Width), order: make([]order, len(names)),
		ends: make([]int64, len(names)), first: -1, names: slices.Clone(names)}
	m.ahead = m.bytes(lag)
	if len(names) == 1 {
		m.ahead = m.bytes(longest * 1000)
	}
	m.mixer = tracks.New(len(names), e.Width, e.Silence, int(m.ahead))
	return m
}

// bytes returns how many bytes of a track last so many milliseconds.
func (m *Media) bytes(ms int64) int64 { return ms * m.rate / 1000 * m.width }

// Faults of the messages of a call.
var (
	errPiece = errors.New("media must have a payload in base64, and numbers as decimal text")
	// ErrMessage reports a message that is none of a stream's.
	ErrMessage = errors.New("a message must be one of a media stream, in JSON")
)

// Text carries out a message of a stream that has begun: those with a piece of a track, and the
// stop. Others have no effect. It overwrites the text.
func (m *Media) Text(text []byte, to dialect.Input) {
	event, piece, payload, ok := plainMessage(text)
	if !ok {
		var whole struct {
			Event string `json:"event"`
			Media struct {
				Track   string `json:"track"`
				Chunk   string `json:"chunk"`
				At      string `json:"timestamp"`
				Payload string `json:"payload"`
			} `json:"media"`
		}
		if json.Unmarshal(text, &whole) != nil {
			to.Reject(ErrMessage)
			return
		}
		event, payload = whole.Event, []byte(whole.Media.Payload)
		piece = Piece{Track: whole.Media.Track, Chunk: whole.Media.Chunk, At: whole.Media.At}
	}
	switch event {
	case "media":
		piece.Track, _, _ = strings.Cut(piece.Track, "_") // "inbound_track" in older streams
		if err := m.Add(piece, payload, to); err != nil {
			to.Reject(err)
		}
	case "stop":
		m.End(to)
		to.Stop()
	}
}

// plainMessage reads a message with a piece as services write it; ok is false for others.
func plainMessage(text []byte) (event string, p Piece, payload []byte, ok bool) {
	ok = dialect.Plain(text, func(object, name, value []byte) bool {
		if object == nil {
			switch string(name) {
			case "event":
				event = wordOf(value)
			case "sequenceNumber", "streamSid", "sequence_number", "stream_id": // of the stream
			default:
				return false
			}
			return true
		}
		if string(object) != "media" {
			return false
		}
		switch string(name) {
		case "track":
			p.Track = wordOf(value)
		case "chunk":
			p.Chunk = string(value)
		case "timestamp":
			p.At = string(value)
		case "payload":
			payload = value
		default:
			return false
		}
		return true
	})
	return event, p, payload, ok
}

// wordOf returns the name of an event or of a track. The usual ones are not allocated.
func wordOf(name []byte) string {
	switch string(name) {
	case "media":
		return "media"
	case "inbound":
		return "inbound"
	case "outbound":
		return "outbound"
	}
	return string(name)
}

// Add takes a piece, which it decodes in place, and hands audio on once the pieces before it have
// come. Errors: a payload that is no base64, a number that is none.
func (m *Media) Add(p Piece, payload []byte, to dialect.Input) error {
	n, err := base64.StdEncoding.Decode(payload, payload)
	if err != nil {
		return errPiece
	}
	at, okAt := number(p.At)
	chunk, okChunk := number(p.Chunk)
	if !okAt || !okChunk {
		return errPiece
	}
	track := m.track(p.Track)
	if track < 0 {
		return nil
	}
	m.order[track].add(part{chunk, at, payload[:n]}, func(p part) { m.deliver(track, p, to) })
	return nil
}

// number reads a number in decimal digits; -1: there is none.
func number(text string) (n int64, ok bool) {
	if text == "" {
		return -1, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0 && n <= maxNumber
}

// track returns the channel of a track; -1: it is left out.
func (m *Media) track(name string) int {
	if len(m.names) == 1 && m.first < 0 {
		m.names[0] = name
	}
	return slices.Index(m.names, name)
}

// deliver hands a piece on at its place.
func (m *Media) deliver(track int, p part, to dialect.Input) {
	at, end := m.place(track, p), m.ends[track]
	if at > end {
		end += min(at-end, m.ahead)
	}
	m.ends[track] = end + int64(len(p.audio))
	m.hand(m.mixer.Add(track, at, p.audio), to)
}

// place returns the byte of its track at which a piece begins; -1: where the one before has ended.
// Times count from the piece that came first, and are not exact. The numbers of pieces, where there
// are any, tell which came late.
func (m *Media) place(track int, p part) int64 {
	if m.first < 0 {
		m.first = max(p.at, 0)
	}
	if p.at < 0 {
		return -1
	}
	at := m.bytes(max(0, p.at-m.first))
	apart := at - m.ends[track]
	if apart <= m.bytes(jitter) && (p.chunk >= 0 || apart >= -m.bytes(jitter)) {
		return -1
	}
	return at
}

func (m *Media) hand(audio []byte, to dialect.Input) {
	if len(audio) > 0 {
		to.Audio(audio)
		to.EndAudio()
	}
}

// End hands on what is left.
func (m *Media) End(to dialect.Input) {
	for track := range m.order {
		m.order[track].flush(func(p part) { m.deliver(track, p, to) })
	}
	m.hand(m.mixer.Flush(), to)
}

// part is a piece of a track whose numbers were read.
type part struct {
	chunk, at int64 // -1: not stated
	audio     []byte
}

// order puts the pieces of a track in the order of their numbers. Those that came twice are left
// out; those that do not come are not waited for long.
type order struct {
	next int64 // number of the piece that comes next; 0: none has come
	held []part
}

// add calls next with p, and with the pieces that waited for it, or keeps p until its turn. A piece
// is valid during the call alone.
func (o *order) add(p part, next func(part)) {
	switch {
	case p.chunk < 0:
		next(p)
		return
	case o.next == 0:
		o.next = p.chunk
	case p.chunk < o.next:
		return
	}
	if p.chunk == o.next {
		o.next++
		next(p)
	} else {
		p.audio = slices.Clone(p.audio)
		i, found := slices.BinarySearchFunc(o.held, p.chunk, func(h part, n int64) int { return int(h.chunk - n) })
		if !found {
			o.held = slices.Insert(o.held, i, p)
		}
	}
	if len(o.held) > mostAhead {
		o.next = o.held[0].chunk
	}
	o.release(next)
}

// release calls next with the pieces whose turn it is.
func (o *order) release(next func(part)) {
	for len(o.held) > 0 && o.held[0].chunk <= o.next {
		p := o.held[0]
		o.held = slices.Delete(o.held, 0, 1)
		o.next = p.chunk + 1
		next(p)
	}
}

// flush calls next with all pieces that wait.
func (o *order) flush(next func(part)) {
	for _, p := range o.held {
		next(p)
	}
	o.held = nil
}
