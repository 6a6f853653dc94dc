package riva

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLSFiles names the files that secure a connection. The zero value trusts the system's
// authorities.
type TLSFiles struct {
	// CA holds the certificates, in PEM, of the authorities that may have signed the server's;
	// empty: the system's.
	CA string
	// Certificate and Key, in PEM, identify this client to the server; both or neither.
	Certificate, Key string
	// ServerName is the name the server's certificate must be for; empty: that of the address.
	ServerName string
}

// Config reads the files. Errors name the file and what is wrong with it.
func (f TLSFiles) Config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: f.ServerName}
	if f.CA != "" {
		pem, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("read certificate authorities: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read certificate authorities: %s holds no certificate in PEM", f.CA)
		}
	}
	switch {
	case f.Certificate == "" && f.Key == "":
		return config, nil
	case f.Key == "":
		return nil, fmt.Errorf("client certificate %s has no key", f.Certificate)
	case f.Certificate == "":
		return nil, fmt.Errorf("client key %s has no certificate", f.Key)
	}
	pair, err := tls.LoadX509KeyPair(f.Certificate, f.Key)
	if err != nil {
		return nil, fmt.Errorf("read client certificate %s and key %s: %w", f.Certificate, f.Key, err)
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}
