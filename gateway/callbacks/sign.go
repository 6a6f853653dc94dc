package callbacks

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"steno/session/store"
)

// ErrSecret means that a secret is not "whsec_" and the Base64 of 24 to 64 bytes.
var ErrSecret = errors.New("callback secret must be whsec_ followed by the Base64 of 24 to 64 bytes")

// CheckSecret reports whether a secret can be used to sign. Errors: ErrSecret.
func CheckSecret(secret string) error {
	text, found := strings.CutPrefix(secret, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	if !found || err != nil || len(key) < 24 || len(key) > 64 {
		return ErrSecret
	}
	return nil
}

// secrets are what an account's callbacks are signed with now, newest first: its own, and where it
// has fewer than two the common one. So receivers change from one secret to the next, and from the
// common one to their own, at leisure.
func (d *Dispatcher) secrets(ctx context.Context, account string) (texts []string, err error) {
	if d.cfg.Secrets != nil {
		ctx, cancel := context.WithTimeout(ctx, settleTimeout)
		defer cancel()
		own, err := d.cfg.Secrets.Secrets(ctx, account)
		if err != nil {
			return nil, fmt.Errorf("find secrets: %w", err)
		}
		for _, s := range own {
			texts = append(texts, s.Text)
		}
	}
	if d.cfg.Secret != "" && len(texts) < store.MaxSecrets && !slices.Contains(texts, d.cfg.Secret) {
		texts = append(texts, d.cfg.Secret)
	}
	return texts, nil
}

// credentials are what a request shows its receiver.
type credentials struct {
	secrets []string // which it is signed with
	auth    string   // a header, see [Config.Auth]
}

// header is that of a request that begins now: with the signatures by all secrets, separated by
// blanks.
func header(v store.Delivery, shown credentials, now time.Time) (http.Header, error) {
	h := http.Header{}
	if name, value, ok := strings.Cut(shown.auth, ": "); ok {
		h.Set(name, value)
	}
	h.Set("Content-Type", "application/json")
	h.Set(webhooks.HeaderWebhookID, v.ID)
	h.Set(webhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	var signatures []string
	for _, secret := range shown.secrets {
		signer, err := webhooks.NewWebhook(secret)
		if err != nil {
			return nil, ErrSecret // the cause might repeat it
		}
		signature, err := signer.Sign(v.ID, now, v.Body)
		if err != nil {
			return nil, fmt.Errorf("sign callback: %w", err)
		}
		signatures = append(signatures, signature)
	}
	if len(signatures) > 0 {
		h.Set(webhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	}
	return h, nil
}
