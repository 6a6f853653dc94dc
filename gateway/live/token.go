package live

import (
	"crypto/rand"
	"crypto/sha256"
)

// maxToken bounds a socket's token, in bytes: a longer one is none of ours.
const maxToken = 128

// newToken returns a secret of 130 random bits and the hash it is kept as.
func newToken() (token string, hash []byte) {
	token = rand.Text()
	return token, hashToken(token)
}

func hashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
