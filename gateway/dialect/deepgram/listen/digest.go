package listen

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

// digest is the SHA-256 of the audio that a client has sent before CloseStream. The parser adds to
// it on its goroutine, and the encoder asks for it on its own.
type digest struct {
	mu   sync.Mutex
	hash hash.Hash
	end  bool // nothing is added any more
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

// add adds audio.
func (d *digest) add(p []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.end {
		_, _ = d.hash.Write(p) // never fails
	}
}

// close has all that follows left out.
func (d *digest) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.end = true
}

// text returns the digest in hexadecimal digits.
func (d *digest) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return hex.EncodeToString(d.hash.Sum(nil))
}
