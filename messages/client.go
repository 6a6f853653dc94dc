package messages

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ClientKind is what a client's message asks for.
type ClientKind uint8

// What clients send.
const (
	ClientAudio     ClientKind = iota + 1 // audio bytes
	ClientKeepAlive                       // audio of no bytes: acked with an empty range
	ClientStop                            // stop_recording
)

// ClientMessage is a message of a client.
type ClientMessage struct {
	Kind  ClientKind
	Audio []byte // of ClientAudio
}

// The faults of a client's message, with texts for clients.
var (
	ErrFrameTooBig = errors.New("message is larger than 32 MiB")
	ErrNotJSON     = errors.New("message must be a JSON object with a type")
	ErrNoChunk     = errors.New("audio_chunk must have its audio in data.chunk, as a string")
	ErrNotBase64   = errors.New("data.chunk must be base64")
)

// ParseClient reads a text frame. The frame becomes the message's: audio is decoded in place, so text is overwritten
// and Audio is a part of it. The text of an error may be shown to the client.
func ParseClient(text []byte) (ClientMessage, error) {
	if len(text) > MaxTextFrame {
		return ClientMessage{}, ErrFrameTooBig
	}
	if chunk, ok := plainChunk(text); ok {
		return audioMessage(chunk)
	}
	return parseGeneral(text)
}

// parseGeneral takes any JSON, at the price of copies.
func parseGeneral(text []byte) (ClientMessage, error) {
	if nestedDeeper(text, maxDepth) {
		return ClientMessage{}, ErrNotJSON
	}
	var m struct {
		Type *string         `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Type == nil {
		return ClientMessage{}, ErrNotJSON
	}
	switch *m.Type {
	case typeStopRecording:
		return ClientMessage{Kind: ClientStop}, nil
	case typeAudioChunk:
		var data struct {
			Chunk *string `json:"chunk"`
		}
		if json.Unmarshal(m.Data, &data) != nil || data.Chunk == nil {
			return ClientMessage{}, ErrNoChunk
		}
		return audioMessage([]byte(*data.Chunk))
	default:
		return ClientMessage{}, fmt.Errorf("unknown message type %q", excerpt(*m.Type))
	}
}

func audioMessage(chunk []byte) (ClientMessage, error) {
	if len(chunk) == 0 {
		return ClientMessage{Kind: ClientKeepAlive}, nil
	}
	audio, err := decodeInPlace(chunk)
	if err != nil {
		return ClientMessage{}, ErrNotBase64
	}
	return ClientMessage{Kind: ClientAudio, Audio: audio}, nil
}
