package deepgram

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"steno/gateway/dialect"
	"steno/messages"
)

// containers are what audio without a declared encoding may be, by its first bytes.
var containers = []struct{ magic, encoding string }{
	{"OggS", "ogg/opus"}, {"\x1a\x45\xdf\xa3", "webm/opus"}, {"fLaC", "flac"}, {"ID3", "mp3"},
	{"\xff\xf1", "aac"}, {"\xff\xf9", "aac"}, {"\xff\xfb", "mp3"}, {"\xff\xf3", "mp3"}, {"\xff\xf2", "mp3"},
}

// ErrNoFormat refuses audio without a header whose encoding is not known.
var ErrNoFormat = errors.New("DATA-0000: the audio has no header, and encoding is not given")

// Listen reads a client's first messages where the address does not tell the format of a request:
// the first audio does, by its header. It returns nil, nil where more must come.
func Listen(m dialect.Message, request Object) (*dialect.Start, error) {
	switch {
	case !m.Binary && KindOf(m.Data) == "CloseStream":
		request["encoding"] = "wav/pcm" // of which none comes
	case !m.Binary:
		return nil, nil
	case !sniff(m.Data, request):
		return nil, ErrNoFormat
	}
	start, err := Start(request)
	if err != nil {
		return nil, err
	}
	start.Again = true
	return start, nil
}

// Start returns the session that a request asks for.
func Start(request Object) (*dialect.Start, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	live, fault := messages.ParseLive(body)
	if fault != nil {
		return nil, fault
	}
	return &dialect.Start{Request: live}, nil
}

// KindOf returns the type of a message; empty: it is none.
func KindOf(text []byte) string {
	var m struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(text, &m) != nil {
		return ""
	}
	return m.Type
}

// Answer has the encoder send an object.
func Answer(to dialect.Input, o Object) {
	if text, err := json.Marshal(o); err == nil { // strings and numbers always can be
		to.Answer(text)
	}
}

// RefuseConfigure answers a Configure that cannot be.
func RefuseConfigure(to dialect.Input, why string) {
	Answer(to, Object{"type": "ConfigureFailure", "code": "INVALID_CONFIGURATION", "description": why})
}

// sniff sets the format that audio begins with. It returns false if it knows none.
func sniff(b []byte, request Object) bool {
	if bytes.HasPrefix(b, []byte("RIFF")) {
		return wave(b, request)
	}
	if len(b) > 8 && string(b[4:8]) == "ftyp" {
		request["encoding"] = "aac"
		return true
	}
	for _, c := range containers {
		if bytes.HasPrefix(b, []byte(c.magic)) {
			request["encoding"] = c.encoding
			return true
		}
	}
	return false
}

// The formats of samples in WAV files.
const (
	wavePCM   = 1
	waveALaw  = 6
	waveMuLaw = 7
)

// wave sets the format of a WAV header, whose chunk of it comes first.
func wave(b []byte, request Object) bool {
	at := bytes.Index(b, []byte("fmt "))
	if at < 0 || len(b) < at+24 {
		return false
	}
	chunk := b[at+8:]
	encoding, ok := map[uint16]string{wavePCM: "wav/pcm", waveALaw: "wav/alaw", waveMuLaw: "wav/ulaw"}[binary.
		LittleEndian.Uint16(chunk)]
	request["encoding"] = encoding
	request["channels"] = binary.LittleEndian.Uint16(chunk[2:])
	request["sample_rate"] = binary.LittleEndian.Uint32(chunk[4:])
	request["bit_depth"] = binary.LittleEndian.Uint16(chunk[14:])
	return ok
}
