package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"steno/cmd/steno/config"
)

// healthCmd asks a running gateway whether it is alive: what a container's health check runs.
type healthCmd struct {
	Config string `help:"Configuration file." placeholder:"FILE"`
	Listen string `help:"Address of the API." placeholder:"ADDR"`
}

// Run fails unless the gateway answers.
func (h healthCmd) Run(ctx context.Context, p *process) error {
	cfg, err := config.Load(h.Config, p.environ)
	if err != nil {
		return err
	}
	if h.Listen != "" {
		cfg.Listen = h.Listen
	}
	host, port, err := net.SplitHostPort(cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	url := cfg.TLS.Scheme() + "://" + net.JoinHostPort(host, port) + "/healthz"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	// What listens on this machine's own address is asked, whatever names its certificate has.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the gateway answers %s", answer.Status)
	}
	return nil
}
