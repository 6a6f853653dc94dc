package config

import (
	"net/url"
	"strings"
)

// ServerTLS is how clients' connections are secured.
type ServerTLS struct {
	Cert       string `yaml:"cert"`
	Key        string `yaml:"key"`
	SelfSigned bool   `yaml:"self_signed"`
	ACME       ACME   `yaml:"acme"`
	ClientCA   string `yaml:"client_ca"`
	ClientAuth string `yaml:"client_auth" choices:"required,optional"`
}

// enabled reports whether connections are secured.
func (t ServerTLS) enabled() bool { return t.Cert != "" || t.SelfSigned || t.ACME.Enabled() }

// check refuses what does not go together.
func (t ServerTLS) check(fault faults) {
	if (t.Cert == "") != (t.Key == "") {
		fault("tls.cert and tls.key must be given together")
	}
	if t.SelfSigned && t.Cert != "" {
		fault("tls.self_signed makes a certificate: tls.cert and tls.key must be empty")
	}
	if t.ACME.Enabled() && (t.SelfSigned || t.Cert != "") {
		fault("tls.acme.domains has certificates fetched: tls.cert, tls.key and tls.self_signed must not be set")
	}
	if t.ClientCA != "" && !t.enabled() {
		fault("tls.client_ca asks clients for certificates: tls.cert, tls.self_signed or tls.acme.domains must be set")
	}
	t.ACME.check(fault)
}

// Scheme is that of addresses of the API.
func (t ServerTLS) Scheme() string {
	if t.enabled() {
		return "https"
	}
	return "http"
}

// ACME configures certificates that are fetched from an authority, such as Let's Encrypt.
type ACME struct {
	Domains   []string `yaml:"domains"`
	Email     string   `yaml:"email"`
	Directory string   `yaml:"directory"`
	Cache     string   `yaml:"cache"`
}

// Enabled reports whether certificates are fetched.
func (a ACME) Enabled() bool { return len(a.Domains) > 0 }

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
