package main

import (
	"cmp"
	"crypto/tls"
	"net/url"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// ACME configures certificates that are fetched from an authority, such as Let's Encrypt.
type ACME struct {
	Domains   []string `yaml:"domains"`
	Email     string   `yaml:"email"`
	Directory string   `yaml:"directory"`
	Cache     string   `yaml:"cache"`
}

// enabled reports whether certificates are fetched.
func (a ACME) enabled() bool { return len(a.Domains) > 0 }

// check refuses what cannot work.
func (a ACME) check(fault faults) {
	for _, name := range a.Domains {
		if !strings.Contains(name, ".") || strings.ContainsAny(name, "*/: ") {
			fault("tls.acme.domains: %q is no full name of a machine", name)
		}
	}
	u, err := url.Parse(a.Directory)
	if a.Directory != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		fault("tls.acme.directory: %q is no address", a.Directory)
	}
}

// config returns how connections are secured with fetched certificates. One is fetched by the first
// handshake that asks for its name, and renewed a month before its end; the authority proves the
// name by a handshake on port 443. Account and certificates are kept in the cache.
func (a ACME) config(data string) *tls.Config {
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
