package wyoming

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"steno/gateway/dialect"
	"steno/messages"
)

const (
	maxLine    = 64 << 10 // bytes of the line of an event
	maxData    = 256 << 10
	maxPayload = 1 << 20 // half a minute of 16 kHz
	maxDepth   = 16      // of arrays and objects within each other
	pieceSize  = 16 << 10
)

// The faults of events, after which nothing can be read any more.
var (
	errLine  = errors.New("an event must be a line of JSON of at most 64 KiB, with a type")
	errSizes = fmt.Errorf("data_length must be 0 to %d and payload_length 0 to %d", maxData, maxPayload)
	errData  = errors.New("data must be a JSON object")
)

// event is an event of a client. Its payload is still to be read.
type event struct {
	kind    string
	data    [2]json.RawMessage // the latter counts where both have a field
	payload int                // bytes
}

// head is the line of an event.
type head struct {
	Type    string          `json:"type"`
	Data    json.RawMessage `json:"data"`
	More    int             `json:"data_length"`
	Payload int             `json:"payload_length"`
}

// readEvent reads an event but for its payload. The error at the end of the connection between two
// events is io.EOF.
func readEvent(r *bufio.Reader) (e event, err error) {
	text, err := readLine(r)
	if err != nil {
		return e, err
	}
	var h head
	if messages.NestedDeeper(text, maxDepth) || json.Unmarshal(text, &h) != nil || h.Type == "" {
		return e, errLine
	}
	if h.More < 0 || h.More > maxData || h.Payload < 0 || h.Payload > maxPayload {
		return e, errSizes
	}
	e.kind, e.payload, e.data[0] = h.Type, h.Payload, h.Data
	if h.More == 0 {
		return e, nil
	}
	var more bytes.Buffer // grows with what comes
	if _, err := io.CopyN(&more, r, int64(h.More)); err != nil {
		return e, fmt.Errorf("data of an event: %w", noEOF(err))
	}
	e.data[1] = more.Bytes()
	return e, nil
}

// read reads the data of an event.
func (e *event) read(data any) error {
	for _, text := range e.data {
		if len(text) > 0 && (messages.NestedDeeper(text, maxDepth) || json.Unmarshal(text, data) != nil) {
			return errData
		}
	}
	return nil
}

// readLine reads a line, which is valid until the next call.
func readLine(r *bufio.Reader) ([]byte, error) {
	text, err := r.ReadSlice('\n')
	if err == nil {
		return text, nil
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, errLine
	}
	if len(text) > 0 {
		return nil, fmt.Errorf("line of an event: %w", noEOF(err))
	}
	return nil, err
}

// noEOF is an error within an event: the end of the connection is no regular one there.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// line is an event of the gateway, without a payload, with its line end.
func line(kind string, data any) []byte {
	return append(dialect.JSON(struct {
		Type string `json:"type"`
		Data any    `json:"data,omitempty"`
	}{kind, data}), '\n')
}
