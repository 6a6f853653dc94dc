package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
)

// address is where to listen: a Unix socket's path, or else a TCP address.
type address struct {
	path string
	tcp  *net.TCPAddr
}

// parseAddress parses unix:PATH or HOST:PORT. An address that other machines can reach needs
// permission.
func parseAddress(s string, public bool) (address, error) {
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		if path == "" {
			return address{}, errors.New("--listen: unix: needs a path")
		}
		return address{path: path}, nil
	}
	tcp, err := net.ResolveTCPAddr("tcp", s)
	if err != nil {
		return address{}, fmt.Errorf("--listen: %w", err)
	}
	if !public && !tcp.IP.IsLoopback() {
		return address{}, fmt.Errorf("--listen: other machines can reach %s; allow it with --public, and keep "+
			"strangers out with --tls-ca or a firewall", s)
	}
	return address{tcp: tcp}, nil
}

// listen returns the listener. A Unix socket is for this user alone, and replaces one that no
// process serves.
func (a address) listen() (net.Listener, error) {
	if a.path == "" {
		return net.ListenTCP("tcp", a.tcp)
	}
	if err := removeStale(a.path); err != nil {
		return nil, err
	}
	defer syscall.Umask(syscall.Umask(0o177)) // a confined process must not change the mode of a file
	return net.Listen("unix", a.path)
}

func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s exists and is no socket", path)
	}
	if conn, err := net.Dial("unix", path); err == nil {
		return errors.Join(fmt.Errorf("%s is served by another process", path), conn.Close())
	}
	return os.Remove(path)
}

// loadTLS returns nil if TLS is not configured.
func loadTLS(f flags) (*tls.Config, error) {
	if f.TLSCert == "" && f.TLSKey == "" && f.TLSCA == "" {
		return nil, nil
	}
	if f.TLSCert == "" || f.TLSKey == "" {
		return nil, errors.New("--tls-cert and --tls-key are needed both")
	}
	if strings.HasPrefix(f.Listen, "unix:") {
		return nil, errors.New("--tls-cert is not for Unix sockets")
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("load certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if f.TLSCA != "" {
		authorities, err := os.ReadFile(f.TLSCA)
		if err != nil {
			return nil, fmt.Errorf("load client authorities: %w", err)
		}
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM(authorities) {
			return nil, fmt.Errorf("no certificates in %s", f.TLSCA)
		}
	}
	return config, nil
}
