package callbacks

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

const secret = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyEhISE="

// attemptChannel is a Watcher that sends each attempt to a channel.
type attemptChannel chan Attempt

func (c attemptChannel) Attempted(a Attempt) { c <- a }
func (c attemptChannel) Pending(int)         {}
func (c attemptChannel) Trouble(error)       {}

// deliver sends one callback over a real connection.
func deliver(t *testing.T, cfg Config, client *outbound.Client, d store.Delivery) Attempt {
	t.Helper()
	s, err := embedded.Open(t.Context(), embeddedtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Create(t.Context(), store.Record{
		ID: "job", Account: account, Kind: messages.JobLive, Status: messages.StatusQueued, Version: 2,
		CreatedAt: time.Now().UTC(),
		Params:    []byte("{}"), PostSessionMetadata: []byte("{}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	attempts := make(attemptChannel, 100)
	cfg.Outbox, cfg.Sender, cfg.Watcher = s, client, attempts
	dispatcher, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer dispatcher.Stop(t.Context())
	d.Account, d.Job, d.Seq, d.Event = account, "job", 1, "live.start_session"
	if err := s.Enqueue(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	select {
	case a := <-attempts:
		return a
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was attempted")
		return Attempt{}
	}
}

func TestRequest(t *testing.T) {
	verify, err := webhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	body := `{"id":"1","payload":"é\u2028"}`
	for _, signed := range []bool{true, false} {
		for _, method := range []string{"POST", "PUT"} {
			var got *http.Request
			var text []byte
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				text, _ = io.ReadAll(r.Body)
				got = r
			}))
			client := outbound.New(true)
			cfg := Config{}
			if signed {
				cfg.Secret = secret
			}
			a := deliver(t, cfg, client, store.Delivery{URL: server.URL + "/x?y=z", Method: method, Body: []byte(body)})
			server.Close()
			_ = client.Close()
			if a.Outcome != Delivered || a.Status != 200 || a.Err != nil || a.Delivery.Body != nil ||
				strings.Contains(a.Host, "x") {
				t.Fatalf("%+v", a)
			}
			if got.Method != method || got.RequestURI != "/x?y=z" || string(text) != body ||
				got.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%v %s", got, text)
			}
			stamp, err := strconv.ParseInt(got.Header.Get("webhook-timestamp"), 10, 64)
			if err != nil || time.Since(time.Unix(stamp, 0)) > time.Minute || got.Header.Get("webhook-id") !=
				a.Delivery.ID {
				t.Errorf("%v, id %s", got.Header, a.Delivery.ID)
			}
			if err := verify.Verify(text, got.Header); (err == nil) != signed {
				t.Errorf("signed %v: %v", signed, err)
			}
		}
	}
}

// The guarded client's refusals end a delivery, in words that name no address.
func TestRefusedAddress(t *testing.T) {
	client := outbound.New(false)
	defer client.Close()
	for _, url := range []string{"http://127.0.0.1:1/x", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/",
		"http://localhost/"} {
		a := deliver(t, Config{}, client, store.Delivery{URL: url, Method: "POST", Body: []byte("{}")})
		if a.Outcome != Dead || a.Failure != "address is not allowed" || a.Err != nil {
			t.Errorf("%s: %+v", url, a)
		}
	}
}

func TestSecrets(t *testing.T) {
	for text, good := range map[string]bool{
		secret: true, "whsec_": false, "": false, strings.TrimPrefix(secret, "whsec_"): false, "whsec_!": false,
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 23)): false,
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 24)): true,
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 64)): true,
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65)): false,
	} {
		if err := CheckSecret(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
		if text == "" {
			continue
		}
		if d, err := New(Config{Secret: text, Outbox: nowhere{}, Watcher: attemptChannel(nil)}); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		} else if err == nil {
			d.Stop(t.Context())
		}
	}
}

// nowhere is an outbox in which nothing ever is.
type nowhere struct{ store.Outbox }

func (nowhere) WaitDelivery(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}
