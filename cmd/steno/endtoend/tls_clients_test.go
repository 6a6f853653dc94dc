package endtoend_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// newSecureGateway starts a gateway with a certificate that signs itself, and returns the path of
// that.
func newSecureGateway(t *testing.T, engine string) (g *gateway, certificate string) {
	t.Helper()
	g = gatewayToBe(t, build(t), engine, "STENO_TLS_SELF_SIGNED=true")
	p, err := g.launch()
	if err != nil {
		t.Fatal(err)
	}
	certificate = filepath.Join(g.data, "tls", "cert.pem")
	for began := time.Now(); !trusted(certificate, "https://"+g.addr+"/readyz"); time.Sleep(20 * time.Millisecond) {
		select {
		case <-p.gone:
			t.Fatalf("steno ended instead of serving:\n%s", p.log)
		default:
		}
		if time.Since(began) > readyWithin {
			t.Fatalf("steno is not ready after %v:\n%s", readyWithin, p.log)
		}
	}
	return g, certificate
}

// trusting returns a client that trusts a certificate alone; nil: there is none yet.
func trusting(certificate string) *http.Client {
	text, err := os.ReadFile(certificate)
	if err != nil {
		return nil
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots},
		DisableKeepAlives: true}}
}

// trusted reports whether an address answers with success to who trusts a certificate alone.
func trusted(certificate, address string) bool {
	client := trusting(certificate)
	if client == nil {
		return false
	}
	resp, err := client.Get(address)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// TestTLS has sessions over wss, by public client libraries that trust the certificate which the
// gateway has made, some of which speak wss only. The first one's is the conversation that it is
// without TLS; those of other services hear what is in the record.
func TestTLS(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	sdk := findSDK(t)
	g, certificate := newSecureGateway(t, "scripted")
	t.Setenv("NODE_EXTRA_CA_CERTS", certificate)
	c := babble(t)
	said := converse(t, sdk, "https://"+g.addr, c, nil)
	if said.code != 1000 || said.connections != 1 || len(said.errors) > 0 {
		t.Errorf("code %d, %d connections, errors %v", said.code, said.connections, said.errors)
	}
	if text := said.outcome.Job.Result.Transcription.FullTranscript; len(strings.Fields(text)) < 10 ||
		len(said.checkKept(t, c)) == 0 {
		t.Errorf("transcript %q", text)
	}
	for _, service := range []string{"openai", "deepgram", "assemblyai"} {
		heard := listen(t, sdk, service, "https://"+g.addr, c)
		if kept := newestText(t, trusting(certificate), "https://"+g.addr); heard != kept || len(kept) < 50 {
			t.Errorf("%s: heard %q, the record has %q", service, heard, kept)
		}
	}
}

// listen returns what the live client library of a service hears of a clip, whose audio is not
// paced.
func listen(t *testing.T, sdk, service, origin string, c clip) (text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "listen.mjs", service, origin, testKey, c.file(t))
	cmd.Dir = sdk
	complaints := new(lockedBuffer)
	cmd.Stderr = complaints
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &text)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", service, err, out, complaints)
	}
	return text
}

// newestText waits for the end of the newest session and returns what was said in it.
func newestText(t *testing.T, client *http.Client, origin string) string {
	t.Helper()
	for began := time.Now(); time.Since(began) < readyWithin; time.Sleep(20 * time.Millisecond) {
		ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, origin+"/v2/live?limit=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("x-gladia-key", testKey)
		answer, err := client.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Items []struct{ Result *messages.LiveResult }
		}
		err = json.NewDecoder(answer.Body).Decode(&list)
		_ = answer.Body.Close()
		if err != nil || len(list.Items) != 1 {
			t.Fatalf("%d sessions, %v", len(list.Items), err)
		}
		if r := list.Items[0].Result; r != nil {
			return r.Transcription.FullTranscript
		}
	}
	t.Fatal("the session does not end")
	return ""
}
