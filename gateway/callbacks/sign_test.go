package callbacks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"steno/gateway/outbound"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// The secrets of the tests: the common one, those of the account, and one of another.
const (
	firstSecret  = "whsec_Zmlyc3QgZmlyc3QgZmlyc3QgZmlyc3QgZmlyc3Q="
	secondSecret = "whsec_c2Vjb25kIHNlY29uZCBzZWNvbmQgc2Vjb25kIHM="
	otherSecret  = "whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI="
)

// While receivers change from one secret to the next both are good; secrets of other accounts never
// are.
func TestSecretsChangeOneByOne(t *testing.T) {
	s, err := embedded.Open(t.Context(), embeddedtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	add := func(account, text string) {
		if err := s.AddSecret(t.Context(), store.Secret{Account: account, Text: text, CreatedAt: time.Now()}); err !=
			nil {
			t.Fatal(err)
		}
	}
	add("another", otherSecret)
	for _, step := range []struct {
		add  string
		good []string
	}{
		{"", []string{secret}},
		{firstSecret, []string{firstSecret, secret}},
		{secondSecret, []string{secondSecret, firstSecret}},
	} {
		if step.add != "" {
			add(account, step.add)
		}
		var got http.Header
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
		client := outbound.New(true)
		a := deliver(t, Config{Secret: secret, Secrets: s}, client, store.Delivery{URL: server.URL, Method: "POST",
			Body: []byte(`{"a":1}`)})
		server.Close()
		_ = client.Close()
		if a.Outcome != Delivered {
			t.Fatalf("%+v", a)
		}
		if n := len(strings.Fields(got.Get("webhook-signature"))); n != len(step.good) {
			t.Errorf("%d signatures, want %d", n, len(step.good))
		}
		for _, text := range []string{secret, firstSecret, secondSecret, otherSecret} {
			verifier, err := webhooks.NewWebhook(text)
			if err != nil {
				t.Fatal(err)
			}
			want := false
			for _, good := range step.good {
				want = want || good == text
			}
			if err := verifier.Verify([]byte(`{"a":1}`), got); (err == nil) != want {
				t.Errorf("after %q, by %s: %v", step.add, text, err)
			}
		}
	}
}
