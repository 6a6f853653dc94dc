package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// TestTLS connects to a server that asks for certificates, as servers do by default.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(pair.Leaf)
	stranger, err := tls.LoadX509KeyPair(certificate(t))
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(cmdtest.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	open := valkeytest.Start(t, "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", key,
		"--tls-ca-cert-file", cert)
	known := []tls.Certificate{pair}
	for name, c := range map[string]struct {
		addr  string
		tls   *tls.Config
		fails string // part of the error; empty: there is none
	}{
		"host and port": {host + ":" + port, &tls.Config{RootCAs: trusted, Certificates: known}, ""},
		"URL": {"valkeys://" + host + ":" + port, &tls.Config{RootCAs: trusted,
			Certificates: known}, ""},
		"no client certificate": {host + ":" + port, &tls.Config{RootCAs: trusted},
			"the server may want a certificate of its clients"},
		"another's certificate": {host + ":" + port, &tls.Config{RootCAs: trusted,
			Certificates: []tls.Certificate{stranger}}, "may not trust the certificate"},
		"unknown authority": {host + ":" + port, &tls.Config{RootCAs: x509.NewCertPool(), Certificates: known},
			"certificate signed by unknown authority"},
		"system's authorities": {"valkeys://" + host + ":" + port, nil, "certificate signed by unknown authority"},
		"another name":         {"localhost:" + port, &tls.Config{RootCAs: trusted, Certificates: known}, "localhost"},
		"plain text":           {host + ":" + port, nil, "the server may want TLS"},
		"TLS to plain text": {open.Addr(), &tls.Config{RootCAs: trusted, Certificates: known},
			"the server may speak plain text"},
	} {
		s, err := Connect(t.Context(), Options{Addr: c.addr, TLS: c.tls})
		if err == nil {
			err = s.Ping(t.Context())
			s.Close()
		}
		if (c.fails != "") != (err != nil) || err != nil && (!errors.Is(err, store.ErrAway) ||
			!strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEachServerHasItsName: Sentinel and the servers that it names are spoken to by TLS, each by
// its own name.
func TestEachServerHasItsName(t *testing.T) {
	o, _, err := clientOption("valkeys://one:1?addr=two:2&master_set=steno", nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.TLSConfig == nil || o.Sentinel.TLSConfig == nil {
		t.Fatalf("TLS is %v, Sentinel's %v", o.TLSConfig, o.Sentinel.TLSConfig)
	}
	if o.TLSConfig.ServerName != "" {
		t.Errorf("all servers are to be %s", o.TLSConfig.ServerName)
	}
}

// certificate writes a certificate for 127.0.0.1 that has signed itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY",
		Bytes: private}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}
