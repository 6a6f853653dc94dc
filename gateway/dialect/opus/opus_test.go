package opus

import (
	"bytes"
	"encoding/binary"
	"testing"

	"steno/gateway/dialect/dialecttest"
)

// TestOpus puts packets into pages: their lengths, numbers, times and checksums are those of Ogg.
func TestOpus(t *testing.T) {
	in := &dialecttest.Input{}
	o := &Packets{}
	packets := [][]byte{
		append([]byte{0x48}, make([]byte, 40)...), append([]byte{0xfc}, make([]byte, 700)...), {0x0b, 3},
		append([]byte{0x4c}, make([]byte, 254)...),
	}
	for _, p := range packets {
		o.Binary(bytes.Clone(p[:1]), false, in)
		o.Binary(bytes.Clone(p[1:]), true, in)
	}
	o.Binary(nil, true, in)
	if in.Messages != 5 {
		t.Errorf("%d messages have ended", in.Messages)
	}
	var granules []uint64
	rest := in.Heard
	for n := 0; len(rest) > 0; n++ {
		size := 27 + int(rest[26])
		length := 0
		for _, l := range rest[27:size] {
			length += int(l)
		}
		page := bytes.Clone(rest[:size+length])
		sum := binary.LittleEndian.Uint32(page[22:])
		binary.LittleEndian.PutUint32(page[22:], 0)
		if string(page[:4]) != "OggS" || sum != checksum(page) || binary.LittleEndian.Uint32(page[18:]) != uint32(n) {
			t.Fatalf("page %d: % x", n, page[:size])
		}
		if n >= 2 && !bytes.Equal(page[size:], packets[n-2]) {
			t.Errorf("page %d has % x", n, page[size:])
		}
		granules = append(granules, binary.LittleEndian.Uint64(page[6:]))
		rest = rest[size+length:]
	}
	want := []uint64{0, 0, 960, 1920, 1920 + 3*960, 1920 + 4*960}
	if len(granules) != len(want) {
		t.Fatalf("%d pages", len(granules))
	}
	for i := range want {
		if granules[i] != want[i] {
			t.Errorf("times %v, want %v", granules, want)
		}
	}
	if got := checksum([]byte("123456789")); got != 0x89a1897f {
		t.Errorf("checksum %x", got)
	}
}

// FuzzPackets: whatever is said to be a packet, and however its message is divided, there is a page
// with all of it, or nothing of one that is too long.
func FuzzPackets(f *testing.F) {
	for _, p := range []string{"", "\x03", "\x48abc", "\xff\x3f", "\x0b\x03abc"} {
		f.Add([]byte(p), 1)
	}
	f.Add(bytes.Repeat([]byte("\xfc"), 2*255), 255)
	f.Fuzz(func(t *testing.T, packet []byte, step int) {
		whole, parts := &dialecttest.Input{}, &dialecttest.Input{}
		(&Packets{}).Binary(packet, true, whole)
		o, rest := &Packets{}, packet
		for step = max(step, 1); len(rest) > step; rest = rest[step:] {
			o.Binary(rest[:step], false, parts)
		}
		o.Binary(rest, true, parts)
		if len(packet) <= maxPacket && (!bytes.HasSuffix(whole.Heard, packet) ||
			!bytes.Equal(whole.Heard, parts.Heard)) {
			t.Errorf("% x: % x, in parts % x", packet, whole.Heard, parts.Heard)
		}
		if whole.Messages != 1 || parts.Messages != 1 {
			t.Errorf("%d and %d messages have ended", whole.Messages, parts.Messages)
		}
	})
}
