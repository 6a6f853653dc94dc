// Package opus takes packets of Opus that come without a container, one with each binary message,
// and puts them into Ogg, which the gateway decodes.
package opus

import (
	"encoding/binary"

	"steno/gateway/dialect"
)

// Packets reads binary messages that are packets of Opus each. It is a part of a
// [dialect.BinaryParser].
type Packets struct {
	pages  pages
	packet []byte
}

// maxPacket bounds a packet: the longest has 120 ms at the highest rate.
const maxPacket = 61440

// Binary implements dialect.BinaryParser.
func (o *Packets) Binary(p []byte, last bool, to dialect.Input) {
	if len(o.packet)+len(p) <= maxPacket {
		o.packet = append(o.packet, p...)
	}
	if !last {
		return
	}
	if len(o.packet) > 0 {
		to.Audio(o.pages.add(o.packet))
	}
	o.packet = o.packet[:0]
	to.EndAudio()
}

// pages puts packets into Ogg pages, one each, as RFC 7845 describes.
type pages struct {
	begun   bool
	number  uint32
	granule uint64 // samples at 48 kHz
	out     []byte
}

const (
	firstPage = 2 // flag of a page
	serial    = 1
)

// add returns the pages of a packet, the first time after those of the headers. They are valid
// until the next call.
func (p *pages) add(packet []byte) []byte {
	p.out = p.out[:0]
	if !p.begun {
		p.begun = true
		head := append([]byte("OpusHead"), 1, byte(channelsOf(packet)))
		head = binary.LittleEndian.AppendUint16(head, 0)     // samples to skip
		head = binary.LittleEndian.AppendUint32(head, 48000) // of the input, for information
		p.page(firstPage, append(head, 0, 0, 0))
		tags := binary.LittleEndian.AppendUint32([]byte("OpusTags"), 5)
		p.page(0, binary.LittleEndian.AppendUint32(append(tags, "steno"...), 0))
	}
	p.granule += samplesOf(packet)
	p.page(0, packet)
	return p.out
}

// page appends a page with one packet.
func (p *pages) page(flags byte, packet []byte) {
	start := len(p.out)
	p.out = append(append(p.out, "OggS"...), 0, flags)
	p.out = binary.LittleEndian.AppendUint64(p.out, p.granule)
	p.out = binary.LittleEndian.AppendUint32(p.out, serial)
	p.out = binary.LittleEndian.AppendUint32(p.out, p.number)
	p.out = binary.LittleEndian.AppendUint32(p.out, 0)
	p.number++
	full := len(packet) / 255
	p.out = append(p.out, byte(full+1))
	for range full {
		p.out = append(p.out, 255)
	}
	p.out = append(append(p.out, byte(len(packet)%255)), packet...)
	binary.LittleEndian.PutUint32(p.out[start+22:], checksum(p.out[start:]))
}

// channelsOf returns the channels of a packet.
func channelsOf(packet []byte) int { return 1 + int(packet[0]>>2&1) }

// samplesOf returns the length of a packet, by its first bytes (RFC 6716, 3.1).
func samplesOf(packet []byte) uint64 {
	config, count := packet[0]>>3, uint64(1)
	switch packet[0] & 3 {
	case 1, 2:
		count = 2
	case 3:
		if count = 0; len(packet) > 1 {
			count = uint64(packet[1] & 63)
		}
	}
	var frame uint64
	switch {
	case config < 12:
		frame = []uint64{480, 960, 1920, 2880}[config%4]
	case config < 16:
		frame = []uint64{480, 960}[config%2]
	default:
		frame = []uint64{120, 240, 480, 960}[config%4]
	}
	return count * frame
}

// checksum is that of Ogg: a CRC of 32 bits with the polynomial 0x04c11db7, not reflected.
func checksum(b []byte) (sum uint32) {
	for _, c := range b {
		sum = sum<<8 ^ checksums[byte(sum>>24)^c]
	}
	return sum
}

var checksums = func() (table [256]uint32) {
	for i := range table {
		sum := uint32(i) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04c11db7
			} else {
				sum <<= 1
			}
		}
		table[i] = sum
	}
	return table
}()
