package audio

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// chunkIDs are those of chunks that programs write after the audio.
const chunkIDs = "LIST fact cue  plst bext iXML axml aXML _PMX id3  ID3  JUNK junk FLLR PAD  smpl inst PEAK acid " +
	"DISP cart LGWV SAUR chna dbmd umid afsp Cr8r MD5  levl elm1 strc minf regn link mext C2PA fmt  data "

// maxChunk bounds the chunks whose size nothing confirms.
const maxChunk = 64 << 20

// belongs reports whether a chunk or a tag of the file begins with the bytes, which stand at a
// position in the stream: one that is known, or one that ends within the file as its header has it.
func (u *Unwrapper) belongs(p []byte, at int64) bool {
	if tag(p) > 0 {
		return true
	}
	if len(p) < 8 {
		return false
	}
	id, size := string(p[:4]), int64(binary.LittleEndian.Uint32(p[4:]))
	if i := strings.Index(chunkIDs, id); i >= 0 && i%5 == 0 && size < maxChunk {
		return true
	}
	for _, c := range p[:4] {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return p[0] != ' ' && u.end > 0 && at+8+size <= u.end+1
}

// tag returns the length of a tag that music players append to files of any kind; 0: there is none.
func tag(p []byte) int64 {
	switch {
	case len(p) >= 10 && string(p[:3]) == "ID3" && p[3] >= 2 && p[3] <= 4 && (p[6]|p[7]|p[8]|p[9]) < 0x80:
		return 10 + int64(p[6])<<21 + int64(p[7])<<14 + int64(p[8])<<7 + int64(p[9])
	case len(p) == 128 && string(p[:3]) == "TAG":
		return 128
	}
	return 0
}

// texts are chunks of text that are recognized amid audio, where the size of the audio is not
// known: an id, and what follows upon its size.
var texts = [...]struct{ id, begins string }{
	{"LIST", "INFO"}, {"LIST", "adtl"}, {"id3 ", "ID3"}, {"ID3 ", "ID3"}, {"_PMX", "<"}, {"iXML", "<"}, {"axml", "<"},
	{"aXML", "<"},
}

// textChunk returns where in p the first chunk of text begins; -1: nowhere. all is p and what
// follows upon it. wait reports that more bytes are needed to decide.
func textChunk(p, all []byte, last bool) (at int, wait bool) {
	at = -1
	for _, t := range texts {
		for from := 0; ; {
			i := bytes.Index(p[from:], []byte(t.id))
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			short := len(all) < i+8+len(t.begins)
			if short && last || !short && !isText(all[i:], t.begins) {
				continue
			}
			if at < 0 || i < at {
				at, wait = i, short
			}
			break
		}
		if at >= 0 {
			p = p[:at]
		}
	}
	if at < 0 && !last {
		for i := max(0, len(p)-3); i < len(p) && len(p) == len(all); i++ {
			for _, t := range texts {
				if startsLike(p[i:], t.id) {
					return i, true
				}
			}
		}
	}
	return at, wait
}

// isText reports whether a chunk with a sensible size begins so.
func isText(p []byte, begins string) bool {
	return binary.LittleEndian.Uint32(p[4:]) < maxChunk && string(p[8:8+len(begins)]) == begins
}
