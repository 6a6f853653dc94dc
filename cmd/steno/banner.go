package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
)

// printBanner prints that the gateway listens, where its console is, which installed models its
// engines take, with their licences, where the certificate is that was made for it, and, if a key
// was made for the first start, a command that uses it.
func printBanner(w io.Writer, c config.Config, address net.Addr, d *dependencies) {
	scheme := c.TLS.Scheme()
	fmt.Fprintf(w, "steno listening on %s://%s (engine %s, data in %s)\n", scheme, address, c.Engine, c.StoreName())
	url := c.PublicURL
	if url == "" {
		url = scheme + "://" + reachable(address)
	}
	fmt.Fprintf(w, "  console  %s/console\n", url)
	if names := (recognizers.Setup{Config: c}).Served(); len(names) > 0 {
		fmt.Fprintf(w, "  models   %s\n", strings.Join(names, ", "))
	}
	if d.certificate != "" {
		fmt.Fprintf(w, "  trust    %s (curl --cacert, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE)\n", d.certificate)
	}
	if d.made != "" {
		fmt.Fprintf(w, "  try      %s\n", firstCommand(url, d.made, d.certificate))
	}
}

// reachable returns an address by which this machine reaches the listener: one that listens
// everywhere is reached by loopback.
func reachable(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address.String()
	}
	return net.JoinHostPort("127.0.0.1", port)
}

// Sentences that the Debian package pocketsphinx-testdata brings: a short one, and a longer one,
// which the console plays.
const (
	sampleRecording  = sampleFolder + "sense_and_sensibility_01_austen_64kb-0930.wav"
	consoleRecording = sampleFolder + "sense_and_sensibility_01_austen_64kb-0870.wav"

	sampleFolder = "/usr/share/pocketsphinx/test/data/librivox/"
)

// firstCommand transcribes the sample where it is installed; elsewhere it asks for the models.
func firstCommand(url, key, certificate string) string {
	command := "curl "
	if certificate != "" {
		command += "--cacert " + terminal.ShellWord(certificate) + " "
	}
	command += fmt.Sprintf("-H 'x-service-key: %s' %s", key, url)
	if installed(sampleRecording) == "" {
		return command + "/v2/models"
	}
	return command + "/v2/bots/transcribe -F audio=@" + sampleRecording
}

// installed returns the path of a file; empty where it cannot be read.
func installed(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	_ = f.Close() // nothing was read
	return path
}
