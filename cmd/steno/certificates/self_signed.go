package certificates

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steno/cmd/steno/config"
)

const (
	selfSignedLife  = 825 * 24 * time.Hour // no client trusts a longer one less
	selfSignedSpare = 30 * 24 * time.Hour  // before its end another one is made
)

// Names are the names and addresses by which clients may reach the API.
func Names(c config.Config) []string {
	names := append([]string{"localhost", "127.0.0.1", "::1"}, c.KnownHosts()...)
	if u, err := url.Parse(c.PublicURL); err == nil && u.Hostname() != "" {
		names = append(names, u.Hostname())
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		ip := net.ParseIP(name)
		return name == "*" || ip != nil && ip.IsUnspecified()
	})
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// selfSigned returns the files of a certificate for the names that signs itself, in a data folder.
// They are made where there are none, or none that will do.
func selfSigned(data string, names []string) (cert, key string, err error) {
	folder := filepath.Join(data, "tls")
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	if serves(cert, key, names) {
		return cert, key, nil
	}
	certPEM, keyPEM, err := newSelfSigned(names)
	if err != nil {
		return "", "", err
	}
	return cert, key, errors.Join(os.MkdirAll(folder, 0o700), replaceFile(key, keyPEM, 0o600),
		replaceFile(cert, certPEM, 0o644))
}

// serves reports whether the files hold a certificate for the names that lasts.
func serves(cert, key string, names []string) bool {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil || time.Until(pair.Leaf.NotAfter) < selfSignedSpare {
		return false
	}
	for _, name := range names {
		if strings.HasPrefix(name, "*.") {
			name = "any" + name[1:]
		}
		if pair.Leaf.VerifyHostname(name) != nil {
			return false
		}
	}
	return true
}

// newSelfSigned makes a certificate for the names and its key, as PEM. A client trusts it when it
// is given the certificate as an authority.
func newSelfSigned(names []string) (certPEM, keyPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "steno"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(selfSignedLife),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IsCA: true, BasicConstraintsValid: true,
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}

// replaceFile writes a file in the place of another.
func replaceFile(path string, content []byte, mode os.FileMode) error {
	next := path + ".new"
	return errors.Join(os.WriteFile(next, content, mode), os.Rename(next, path))
}
