package config

import (
	"errors"
	"net/url"
	"time"

	"steno/session/store/blob"
	"steno/session/store/valkey"
)

// Valkey specifies where gateways keep what they share.
type Valkey struct {
	Address    string            `yaml:"address"`
	TLS        TLS               `yaml:"tls"`
	Durability valkey.Durability `yaml:"durability" choices:"process,disk,replica"`
	Lease      time.Duration     `yaml:"lease" bounds:"1s..10m"`
	Rewrite    time.Duration     `yaml:"rewrite" bounds:"0 or 1m.."`
}

// checkStore refuses values that cannot work.
func (c Config) checkStore(fault faults) {
	if (c.Valkey.Address == "") != (c.Blob == "") {
		fault("valkey.address and blob are set together, or neither")
	}
	if c.Blob != "" {
		if err := blob.CheckAddress(c.Blob); err != nil {
			fault("blob: %w", err)
		}
	}
	if err := c.Valkey.CheckTLS(); err != nil {
		fault("%w", err)
	}
}

// CheckTLS refuses files that would not be used.
func (v Valkey) CheckTLS() error {
	if !v.TLS.Enabled && v.TLS != (TLS{}) {
		return errors.New("valkey.tls.enabled must be true where valkey.tls names files or a server")
	}
	return nil
}

// StoreName returns where the data are, without any password.
func (c Config) StoreName() string {
	if c.Valkey.Address == "" {
		return c.Data
	}
	if u, err := url.Parse(c.Valkey.Address); err == nil && u.Host != "" {
		return "valkey " + u.Host
	}
	return "valkey"
}
