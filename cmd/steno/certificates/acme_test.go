package certificates

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/crypto/acme"

	"steno/cmd/steno/config"
)

// authority signs certificates. It is a certificate authority with ACME for one name.
type authority struct {
	*httptest.Server
	t       *testing.T
	key     *ecdsa.PrivateKey
	cert    *x509.Certificate
	name    string
	proof   string       // address where the name is proved
	proved  atomic.Bool  // it was
	orders  atomic.Int64 // certificates that were signed
	written atomic.Pointer[[]byte]
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, name: name}
	a.key, a.cert = newIssuer(t)
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func newIssuer(t *testing.T) (*ecdsa.PrivateKey, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return key, cert
}

// sign returns a certificate for a key, of servers or of clients.
func (a *authority) sign(public crypto.PublicKey, use x509.ExtKeyUsage, names ...string) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()),
		DNSNames: names, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(60 * 24 * time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{use}}, a.cert, public, a.key)
	if err != nil {
		a.t.Error(err)
	}
	return der
}

// client returns a certificate for a client.
func (a *authority) client() tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{a.sign(&key.PublicKey, x509.ExtKeyUsageClientAuth)}, PrivateKey: key}
}

// pool is for those who trust it.
func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// file returns the path of its own certificate.
func (a *authority) file() string {
	a.t.Helper()
	path := filepath.Join(a.t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// prove connects as whoever has the name, and wants the certificate that shows it.
func (a *authority) prove() error {
	conn, err := tls.Dial("tcp", a.proof, &tls.Config{ServerName: a.name, NextProtos: []string{acme.ALPNProto},
		InsecureSkipVerify: true}) // it has signed itself
	if err != nil {
		return err
	}
	defer conn.Close()
	leaf := conn.ConnectionState().PeerCertificates[0]
	for _, e := range leaf.Extensions {
		if e.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) && leaf.VerifyHostname(a.name) == nil {
			a.proved.Store(true)
			return nil
		}
	}
	return errors.New("the certificate proves nothing")
}

// ServeHTTP answers what a client of RFC 8555 asks, without looking at its signatures.
func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Replay-Nonce", rand.Text())
	order := map[string]any{"status": "pending", "authorizations": []string{a.URL + "/authz"},
		"identifiers": []any{map[string]string{"type": "dns", "value": a.name}}, "finalize": a.URL + "/finalize"}
	answer, status := any(nil), http.StatusOK
	switch r.URL.Path {
	case "/directory":
		answer = map[string]string{"newNonce": a.URL + "/nonce", "newAccount": a.URL + "/account",
			"newOrder": a.URL + "/order"}
	case "/account":
		w.Header().Set("Location", a.URL+"/account/1")
		answer, status = map[string]string{"status": "valid"}, http.StatusCreated
	case "/order", "/order/1":
		if w.Header().Set("Location", a.URL+"/order/1"); a.proved.Load() {
			order["status"] = "ready"
		}
		if answer = order; r.URL.Path == "/order" {
			status = http.StatusCreated
		}
	case "/authz", "/challenge":
		answer = a.authorization(r.URL.Path == "/challenge")
	case "/finalize":
		a.finalize(r.Body)
		w.Header().Set("Location", a.URL+"/order/1")
		order["status"], order["certificate"] = "valid", a.URL+"/certificate"
		answer = order
	case "/certificate":
		_, _ = w.Write(*a.written.Load())
		return
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// authorization is the state of the proof, or the challenge alone, which is tried.
func (a *authority) authorization(challenged bool) any {
	if challenged {
		if err := a.prove(); err != nil {
			a.t.Error(err)
		}
	}
	status := "pending"
	if a.proved.Load() {
		status = "valid"
	}
	challenge := map[string]string{"type": "tls-alpn-01", "url": a.URL + "/challenge", "token": "token",
		"status": status}
	if challenged {
		return challenge
	}
	return map[string]any{"status": status, "identifier": map[string]string{"type": "dns", "value": a.name},
		"challenges": []any{challenge}}
}

// finalize signs the certificate that a request asks for.
func (a *authority) finalize(body io.Reader) {
	var jws struct{ Payload string }
	var payload struct{ CSR string }
	err := json.NewDecoder(body).Decode(&jws)
	text, e := base64.RawURLEncoding.DecodeString(jws.Payload)
	err = errors.Join(err, e, json.Unmarshal(text, &payload))
	der, e := base64.RawURLEncoding.DecodeString(payload.CSR)
	csr, ce := x509.ParseCertificateRequest(der)
	if err := errors.Join(err, e, ce); err != nil {
		a.t.Error(err)
		return
	}
	a.orders.Add(1)
	text = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: a.sign(csr.PublicKey, x509.ExtKeyUsageServerAuth, csr.DNSNames...)})
	a.written.Store(&text)
}

// serveTLS serves handshakes of a configuration, and returns the address.
func serveTLS(t *testing.T, settings config.ServerTLS, data string) (address string) {
	t.Helper()
	secure, _, err := Config(settings, data, []string{"stt.example.org"}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	secure.NextProtos = append([]string{"http/1.1"}, secure.NextProtos...)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "served")
	}))
	server.Listener = tls.NewListener(server.Listener, secure)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// reach makes a request under a name, with a certificate or without.
func reach(t *testing.T, address, name string, trust *x509.CertPool, own ...tls.Certificate) error {
	t.Helper()
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{ServerName: name, RootCAs: trust, Certificates: own},
		DialContext:     (&net.Dialer{}).DialContext,
	}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get("https://" + address)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && string(text) != "served" {
		err = fmt.Errorf("answered %q", text)
	}
	return err
}

// A certificate is fetched by the first handshake for a name of the configuration, though clients
// must have one themselves, and kept for the next start.
func TestACME(t *testing.T) {
	const name = "stt.example.org"
	issuer, data := newAuthority(t, name), t.TempDir()
	settings := config.ServerTLS{ACME: config.ACME{Domains: []string{name}, Directory: issuer.URL + "/directory"},
		ClientCA: issuer.file()}
	for range 2 {
		issuer.proof = serveTLS(t, settings, data)
		if err := reach(t, issuer.proof, name, issuer.pool(), issuer.client()); err != nil {
			t.Errorf("with a client's certificate: %v", err)
		}
		if err := reach(t, issuer.proof, name, issuer.pool()); err == nil {
			t.Error("a client without a certificate is served")
		}
		if err := reach(t, issuer.proof, "other.example.org", issuer.pool(), issuer.client()); err == nil {
			t.Error("another name is served")
		}
	}
	if n := issuer.orders.Load(); n != 1 {
		t.Errorf("%d certificates were fetched", n)
	}
}

// Clients are asked for certificates that one of the authorities has signed, and are turned away
// with others; without one only where they must have one.
func TestClientCertificates(t *testing.T) {
	good, bad := newAuthority(t, ""), newAuthority(t, "")
	for _, auth := range []string{"required", optional} {
		data := t.TempDir()
		address := serveTLS(t, config.ServerTLS{SelfSigned: true, ClientCA: good.file(), ClientAuth: auth}, data)
		text, err := os.ReadFile(filepath.Join(data, "tls", "cert.pem"))
		if err != nil {
			t.Fatal(err)
		}
		trust := x509.NewCertPool()
		trust.AppendCertsFromPEM(text)
		if err := reach(t, address, "stt.example.org", trust, good.client()); err != nil {
			t.Errorf("%s: with a certificate: %v", auth, err)
		}
		if err := reach(t, address, "stt.example.org", trust, bad.client()); auth == "required" && err == nil {
			t.Errorf("%s: another authority's certificate is taken", auth)
		}
		if err := reach(t, address, "stt.example.org", trust); (err == nil) != (auth == optional) {
			t.Errorf("%s: without a certificate: %v", auth, err)
		}
	}
	if _, _, err := Config(config.ServerTLS{SelfSigned: true, ClientCA: "/nonexistent"}, t.TempDir(),
		[]string{"localhost"},
		zerolog.Nop()); err == nil {
		t.Error("a file that is not there is taken")
	}
}
