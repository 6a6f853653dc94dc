package subscribers

import (
	"encoding/binary"
	"math"
)

// Of the first two bytes of a frame, RFC 6455, section 5.2: a whole text message; a length of 16 or of 64 bits follows.
const (
	wholeText = 0x80 | 0x1
	length16  = 126
	length64  = 127
)

// frame returns a text message as the WebSocket frame that a server sends.
func frame(text []byte) []byte {
	f := append(make([]byte, 0, len(text)+10), wholeText)
	switch n := len(text); {
	case n < length16:
		f = append(f, byte(n))
	case n <= math.MaxUint16:
		f = binary.BigEndian.AppendUint16(append(f, length16), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, length64), uint64(n))
	}
	return append(f, text...)
}
