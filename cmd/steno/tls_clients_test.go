package main_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	for began := time.Now(); !trusted(t, certificate, "https://"+g.addr+"/readyz"); time.Sleep(20 * time.Millisecond) {
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

// trusted reports whether an address answers with success to who trusts a certificate alone.
func trusted(t *testing.T, certificate, address string) bool {
	t.Helper()
	text, err := os.ReadFile(certificate)
	if err != nil {
		return false // not made yet
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots},
		DisableKeepAlives: true}}
	resp, err := client.Get(address)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// TestTLS has a session over wss, by a public client library that trusts the certificate which the
// gateway has made: it is the conversation that it is without TLS.
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
}
