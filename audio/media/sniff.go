package media

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// magic is what the first bytes of a file tell.
type magic struct {
	known bool // begins like a recording of a supported format
	webm  bool
}

var recordings = [][]byte{
	[]byte("RIFF"), []byte("RF64"), []byte("BW64"), []byte("riff\x2e\x91\xcf\x11"), []byte("ID3"), []byte("fLaC"),
	[]byte("OggS"), []byte("\x1a\x45\xdf\xa3"), []byte("FORM"), []byte(".snd"), []byte("caff"), []byte("#!AMR"),
	[]byte("FLV\x01"), []byte("\x30\x26\xb2\x75\x8e\x66\xcf\x11"), []byte("\x00\x00\x01\xba"), []byte("DSD "),
	[]byte("MAC "),
}

var archives = [][]byte{
	[]byte("PK\x03\x04"), []byte("PK\x05\x06"), []byte("\x1f\x8b"), []byte("BZh"), []byte("\xfd7zXZ\x00"),
	[]byte("7z\xbc\xaf\x27\x1c"), []byte("Rar!"), []byte("\x28\xb5\x2f\xfd"),
}

// sniff reads a file's beginning and refuses archives, in which a decoder might find a recording
// that is not the file.
func sniff(file *os.File) (magic, error) {
	b := make([]byte, 512)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return magic{}, &Error{Failed, "The recording could not be read.", err}
	}
	b = b[:n]
	if begins(b, archives) || len(b) >= 262 && string(b[257:262]) == "ustar" {
		return magic{}, &Error{Unsupported, "The file is an archive, not a recording.", nil}
	}
	return magic{
		known: begins(b, recordings) || len(b) >= 8 && string(b[4:8]) == "ftyp" || framed(b),
		webm:  bytes.Contains(b[:min(n, 64)], []byte("webm")),
	}, nil
}

// framed reports whether a file begins with a frame of MPEG audio or ADTS AAC.
func framed(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xFF && b[1]&0xE0 == 0xE0 && b[1]&0x18 != 0x08
}

func begins(b []byte, with [][]byte) bool {
	for _, m := range with {
		if bytes.HasPrefix(b, m) {
			return true
		}
	}
	return false
}

// refusal is the Error for a file that could not be decoded at all.
func (m magic) refusal(err error) error {
	if m.known {
		return &Error{Damaged, "The recording is damaged.", err}
	}
	return &Error{Unsupported, "The file is not a recording in a supported format.", fmt.Errorf("%w: %w", errUnknown,
		err)}
}
