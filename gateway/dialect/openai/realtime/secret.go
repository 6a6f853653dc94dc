package realtime

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"steno/gateway/dialect/openai"
)

const (
	secretPrefix = "ek_"
	maxSettings  = 16 << 10 // bytes of the settings of a secret, as JSON
)

// makeSecret returns a client secret: a token, and the settings that sessions begin with where
// their clients send none. A client may send others, so they are not sealed.
func makeSecret(token string, session json.RawMessage) string {
	if session == nil {
		return secretPrefix + token
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is valid
	_, _ = w.Write(compact(session))                        // a buffer takes everything
	_ = w.Close()
	return secretPrefix + token + "." + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// readSecret returns the token of a client secret and the settings that it has; nil: none. Any
// other credential is returned as it is.
func readSecret(text string) (credential string, session json.RawMessage, err error) {
	rest, ok := strings.CutPrefix(text, secretPrefix)
	if !ok {
		return text, nil, nil
	}
	token, packed, bound := strings.Cut(rest, ".")
	if !bound {
		return token, nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err == nil {
		session, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), maxSettings+1))
	}
	if err != nil || len(session) > maxSettings {
		return "", nil, openai.Fault(http.StatusUnauthorized, "", "invalid_api_key", "the client secret is damaged")
	}
	return token, session, nil
}
