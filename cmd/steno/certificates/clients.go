package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"slices"

	"golang.org/x/crypto/acme"

	"steno/cmd/steno/config"
)

// optional is the value of tls.client_auth for clients that may do without a certificate.
const optional = "optional"

// askClients has clients asked for a certificate that one of the configured authorities has signed,
// if there are any. Whoever comes to prove for a certificate authority that a name is this server's
// needs none.
func askClients(t config.ServerTLS, secure *tls.Config) error {
	if secure == nil || t.ClientCA == "" {
		return nil
	}
	text, err := os.ReadFile(t.ClientCA)
	if err != nil {
		return err
	}
	open := secure.Clone()
	secure.ClientCAs = x509.NewCertPool()
	if !secure.ClientCAs.AppendCertsFromPEM(text) {
		return errors.New("the file has no certificate in PEM")
	}
	if secure.ClientAuth = tls.RequireAndVerifyClientCert; t.ClientAuth == optional {
		secure.ClientAuth = tls.VerifyClientCertIfGiven
	}
	secure.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if slices.Equal(hello.SupportedProtos, open.NextProtos) && slices.Contains(open.NextProtos, acme.ALPNProto) {
			return onlyChallenges(open), nil
		}
		return nil, nil
	}
	return nil
}

// onlyChallenges returns the configuration of connections that speak no HTTP.
func onlyChallenges(c *tls.Config) *tls.Config {
	c = c.Clone()
	c.NextProtos = []string{acme.ALPNProto}
	return c
}
