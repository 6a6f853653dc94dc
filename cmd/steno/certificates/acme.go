package certificates

import (
	"cmp"
	"crypto/tls"
	"path/filepath"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"steno/cmd/steno/config"
)

// fetched returns how connections are secured with fetched certificates. One is fetched by the
// first handshake that asks for its name, and renewed a month before its end; the authority proves
// the name by a handshake on port 443. Account and certificates are kept in the cache.
func fetched(a config.ACME, data string) *tls.Config {
	manager := &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(a.Domains...), Email: a.Email,
		Cache: autocert.DirCache(cmp.Or(a.Cache, filepath.Join(data, "tls", "acme"))),
	}
	if a.Directory != "" {
		manager.Client = &acme.Client{DirectoryURL: a.Directory, UserAgent: "steno"}
	}
	return &tls.Config{GetCertificate: manager.GetCertificate, MinVersion: tls.VersionTLS12,
		NextProtos: []string{acme.ALPNProto}}
}
