package wsconn

import (
	"encoding/binary"
	"math"
)

// The parts of a frame's head (RFC 6455, section 5.2).
const (
	opcodeMore   = 0
	opcodeText   = 1
	opcodeBinary = 2
	opcodeClose  = 8
	opcodePing   = 9
	opcodePong   = 10
	opcodes      = 15
	control      = 8 // set in the opcodes of frames of control
	finalFrame   = 0x80
	reserved     = 0x70
	maskedFrame  = 0x80
	length16     = 126 // a length of 16 bits follows
	length64     = 127 // one of 64 bits follows
	maxControl   = 125 // bytes of the payload of a frame of control
	maskBytes    = 4
	maxPayload   = math.MaxInt64 - longestHead - 1 // bytes that a frame may have
	longestHead  = 2 + 8 + maskBytes
	shortestHead = 2
)

// frameHead reads the head of a frame: how long it is, and how long the whole frame. whole is false
// where bytes are missing.
func frameHead(b []byte) (head int, frame int64, whole bool) {
	if len(b) < shortestHead {
		return 0, 0, false
	}
	payload := int64(b[1] &^ maskedFrame)
	head = shortestHead
	switch payload {
	case length16:
		head += 2
	case length64:
		head += 8
	}
	if b[1]&maskedFrame != 0 {
		head += maskBytes
	}
	if len(b) < head {
		return 0, 0, false
	}
	switch payload {
	case length16:
		payload = int64(binary.BigEndian.Uint16(b[2:]))
	case length64:
		// that many are a violation, as all above are
		payload = int64(min(binary.BigEndian.Uint64(b[2:]), maxPayload+1))
	}
	return head, payload + int64(head), true
}

// appendHead appends the head of a server's frame that is whole and has so many bytes of payload.
func appendHead(b []byte, opcode byte, size int) []byte {
	b = append(b, finalFrame|opcode)
	switch {
	case size <= maxControl:
		return append(b, byte(size))
	case size <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, length16), uint16(size))
	}
	return binary.BigEndian.AppendUint64(append(b, length64), uint64(size))
}

// Frame returns a message of text as the frame that a server sends, for [Conn.WriteFrames].
func Frame(text []byte) []byte {
	return append(appendHead(make([]byte, 0, len(text)+longestHead-maskBytes), opcodeText, len(text)), text...)
}

// unmask sets dst to the payload src of a client's frame without its mask (RFC 6455, section 5.3).
// They may be the same memory; dst is at least as long as src.
func unmask(dst, src []byte, key [maskBytes]byte) {
	half := uint64(binary.LittleEndian.Uint32(key[:]))
	wide := half<<32 | half
	for len(src) >= 8 && len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(src)^wide)
		dst, src = dst[8:], src[8:]
	}
	for i, v := range src {
		dst[i] = v ^ key[i%maskBytes]
	}
}

// rotated is the key of a mask for the bytes that follow the first n.
func rotated(key [maskBytes]byte, n int) (k [maskBytes]byte) {
	for i := range k {
		k[i] = key[(i+n)%maskBytes]
	}
	return k
}
