package wire

import "encoding/binary"

// Bytes returns samples as 16-bit little-endian PCM.
func Bytes(samples []int16) []byte {
	b := make([]byte, 2*len(samples))
	for i, s := range samples {
		binary.LittleEndian.PutUint16(b[2*i:], uint16(s))
	}
	return b
}

// PCM turns messages of 16-bit little-endian bytes into samples; a message may end within one. The zero value is
// ready for the first message of a call.
type PCM struct {
	samples []int16
	odd     bool
	low     byte // the first half of a split sample
}

// Samples returns the samples completed by b. They are valid until the next call.
func (p *PCM) Samples(b []byte) []int16 {
	p.samples = p.samples[:0]
	if p.odd && len(b) > 0 {
		p.samples = append(p.samples, int16(uint16(p.low)|uint16(b[0])<<8))
		b, p.odd = b[1:], false
	}
	for ; len(b) >= 2; b = b[2:] {
		p.samples = append(p.samples, int16(binary.LittleEndian.Uint16(b)))
	}
	if len(b) == 1 {
		p.low, p.odd = b[0], true
	}
	return p.samples
}
