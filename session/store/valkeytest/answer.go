package valkeytest

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/valkey-io/valkey-go"
)

// declared are lengths for which a client makes room before it has read what they are of.
var declared = regexp.MustCompile(`[*%~>|$=!][0-9]{5}`)

// Answer returns what a client makes of the bytes of a server's answer, with which the connection
// ends. Answers that declare more than 9,999 elements or bytes are refused: the client library
// trusts its server with its memory.
func Answer(t testing.TB, answer []byte) (valkey.ValkeyMessage, error) {
	t.Helper()
	if declared.Match(answer) {
		return valkey.ValkeyMessage{}, errors.New("a length too large")
	}
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress: []string{"none:1"}, ForceSingleClient: true, DisableCache: true, DisableRetry: true,
		DisableAutoPipelining: true, ClientSetInfo: valkey.DisableClientSetInfo,
		DialCtxFn: func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
			near, far := net.Pipe()
			go serve(far, answer)
			return near, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return client.Do(t.Context(), client.B().Arbitrary("ANSWER").Build()).ToMessage()
}

// serve accepts what a client begins with, and answers its command once.
func serve(conn net.Conn, answer []byte) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		command, err := readCommand(r)
		switch {
		case err != nil:
			return
		case command == "ANSWER":
			_, _ = conn.Write(answer)
			return
		case command == "HELLO":
			_, err = io.WriteString(conn, "%1\r\n+proto\r\n:3\r\n")
		default:
			_, err = io.WriteString(conn, "+OK\r\n")
		}
		if err != nil {
			return
		}
	}
}

// readCommand returns the first word of a command.
func readCommand(r *bufio.Reader) (first string, err error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	words, err := strconv.Atoi(strings.TrimSpace(head[1:]))
	for i := range words {
		if err != nil {
			return "", err
		}
		var word string
		if _, err = r.ReadString('\n'); err == nil { // its length: no word of these has a line break
			word, err = r.ReadString('\n')
		}
		if i == 0 {
			first = strings.ToUpper(strings.TrimSpace(word))
		}
	}
	return first, err
}
