package live

import (
	"crypto/rand"
	"crypto/sha256"
)

// maxToken is the length in bytes above which a token cannot be valid.
const maxToken = 128

// newToken returns a secret of 130 random bits, and its hash, which is stored.
func newToken() (token string, hash []byte) {
	token = rand.Text()
	return token, hashToken(token)
}

func hashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
