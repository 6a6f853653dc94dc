// Package certificates secures the connections of clients: with the files of a certificate, with
// one that signs itself, or with those that are fetched from an authority; and it asks clients for
// theirs. Files that are replaced are taken while connections are served.
package certificates

import (
	"crypto/tls"
	"fmt"
	"path/filepath"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
)

// Config returns how clients' connections are secured; nil: they are not. A certificate that signs
// itself is for the names, and in a data folder: made is its path, empty where there is none.
func Config(t config.ServerTLS, data string, names []string, log zerolog.Logger) (secure *tls.Config, made string,
	err error) {
	if t.ACME.Enabled() {
		secure = fetched(t.ACME, data)
	} else if secure, made, err = filesConfig(t, data, names, log); err != nil {
		return nil, "", err
	}
	if err := askClients(t, secure); err != nil {
		return nil, "", fmt.Errorf("tls.client_ca: %w", err)
	}
	return secure, made, nil
}

// filesConfig is Config with the certificate of files, which may be made first.
func filesConfig(t config.ServerTLS, data string, names []string, log zerolog.Logger) (secure *tls.Config, made string,
	err error) {
	if t.SelfSigned {
		if t.Cert, t.Key, err = selfSigned(data, names); err != nil {
			return nil, "", fmt.Errorf("tls.self_signed: %w", err)
		}
		if made, err = filepath.Abs(t.Cert); err != nil {
			return nil, "", err
		}
	}
	if t.Cert == "" {
		return nil, "", nil
	}
	files := &certificateFiles{cert: t.Cert, key: t.Key, log: log}
	if err := files.load(); err != nil {
		return nil, "", fmt.Errorf("tls: %w", err)
	}
	return &tls.Config{GetCertificate: files.certificate, MinVersion: tls.VersionTLS12}, made, nil
}
