package gladia

import (
	"encoding/json"
	"errors"
	"fmt"

	"steno/gateway/dialect"
	"steno/messages"
)

// The types of what clients send.
const (
	typeAudioChunk    = "audio_chunk"
	typeStopRecording = "stop_recording"
)

// maxDepth is how deep arrays and objects may stand within each other.
const maxDepth = 32

// Kind is what a client's message asks for.
type Kind uint8

// What clients send.
const (
	KindAudio     Kind = iota + 1 // audio bytes
	KindKeepAlive                 // audio of no bytes: acked with an empty range
	KindStop                      // stop_recording
)

// Message is a message of a client.
type Message struct {
	Kind  Kind
	Audio []byte // of KindAudio
}

// The faults of a client's message, with texts for clients.
var (
	ErrFrameTooBig = errors.New("message is larger than 32 MiB")
	ErrNotJSON     = errors.New("message must be a JSON object with a type")
	ErrNoChunk     = errors.New("audio_chunk must have its audio in data.chunk, as a string")
	ErrNotBase64   = errors.New("data.chunk must be base64")
)

// Parse reads a text frame. The frame becomes the message's: audio is decoded in place, so text is
// overwritten and Audio is a part of it. The text of an error may be shown to the client.
func Parse(text []byte) (Message, error) {
	if len(text) > messages.MaxTextFrame {
		return Message{}, ErrFrameTooBig
	}
	if chunk, ok := plainChunk(text); ok {
		return audioMessage(chunk)
	}
	return parseGeneral(text)
}

// parseGeneral takes any JSON, at the price of copies.
func parseGeneral(text []byte) (Message, error) {
	if messages.NestedDeeper(text, maxDepth) {
		return Message{}, ErrNotJSON
	}
	var m struct {
		Type *string         `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Type == nil {
		return Message{}, ErrNotJSON
	}
	switch *m.Type {
	case typeStopRecording:
		return Message{Kind: KindStop}, nil
	case typeAudioChunk:
		var data struct {
			Chunk *string `json:"chunk"`
		}
		if json.Unmarshal(m.Data, &data) != nil || data.Chunk == nil {
			return Message{}, ErrNoChunk
		}
		return audioMessage([]byte(*data.Chunk))
	default:
		return Message{}, fmt.Errorf("unknown message type %q", messages.Excerpt(*m.Type))
	}
}

func audioMessage(chunk []byte) (Message, error) {
	if len(chunk) == 0 {
		return Message{Kind: KindKeepAlive}, nil
	}
	audio, err := dialect.DecodeBase64(chunk)
	if err != nil {
		return Message{}, ErrNotBase64
	}
	return Message{Kind: KindAudio, Audio: audio}, nil
}
