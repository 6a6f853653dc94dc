package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"steno/cmd/steno/stores"
	"steno/cmd/steno/terminal"
	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/embedded"
)

// networkAnswer bounds the wait for an answer from the network.
const networkAnswer = 10 * time.Second

// checkBlobs writes, reads in part and deletes an object.
func checkBlobs(ctx context.Context, d Deployment) []Finding {
	if d.Blob == "" {
		return nil
	}
	const name, fix = "blob", "blob, or --blob; for S3 the credentials AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	if dir := blob.Folder(d.Blob); dir != "" {
		defer removeNewFolders(dir)()
	}
	bucket, err := blob.Open(d.Blob)
	if err != nil {
		return []Finding{{name, Failure, terminal.OneLine(err), fix}}
	}
	defer bucket.Close()
	began := time.Now()
	if err := tryBlob(ctx, bucket); err != nil {
		return []Finding{{name, Failure, terminal.OneLine(err), fix}}
	}
	took := time.Since(began).Round(time.Millisecond)
	return []Finding{{Check: name, Level: Fine,
		Detail: fmt.Sprintf("objects can be written, read in part and deleted (%s)", took)}}
}

// removeNewFolders returns what removes the folders that have been made since in a folder, as long
// as they are empty. They would be those of the user who looks, not of the one who serves.
func removeNewFolders(dir string) func() {
	before, _ := os.ReadDir(dir)
	return func() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !slices.ContainsFunc(before, func(b os.DirEntry) bool { return b.Name() == e.Name() }) {
				_ = syscall.Rmdir(filepath.Join(dir, e.Name())) // refused for files, and for folders that somebody uses
			}
		}
	}
}

func tryBlob(ctx context.Context, b *blob.Bucket) (err error) {
	name := "doctor/" + strings.ToLower(rand.Text())
	if err := b.Put(ctx, name, blob.Bytes([]byte("steno doctor"))); err != nil {
		return err
	}
	part := make([]byte, 6)
	_, err = b.ReadAt(ctx, name, part, 6)
	if err == nil && !bytes.Equal(part, []byte("doctor")) {
		err = errors.New("other bytes are read than were written")
	}
	if err := errors.Join(err, b.Delete(ctx, name)); err != nil {
		return err
	}
	if _, err = b.Size(ctx, name); !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("a deleted object is still there: %w", err)
	}
	return nil
}

// checkKeys looks whether there is an API key.
func checkKeys(ctx context.Context, d Deployment) []Finding {
	const name = "API keys"
	given, err := d.APIKeys(d.Environ)
	if err != nil {
		return []Finding{{name, Failure, terminal.OneLine(err), "STENO_API_KEYS, or keys"}}
	}
	if len(given) > 0 {
		return []Finding{{Check: name, Level: Fine, Detail: fmt.Sprintf("%d in environment and configuration",
			len(given))}}
	}
	has, err := d.hasKeys(ctx)
	switch {
	case err != nil:
		fix := "data, or --data"
		if d.Valkey.Address != "" {
			fix = "valkey.address, or start the server"
		}
		return []Finding{{name, Failure, terminal.OneLine(err), fix}}
	case !has:
		return []Finding{{name, Warning, "there are none: steno serve makes one and prints it", "steno keys add"}}
	}
	return []Finding{{Check: name, Level: Fine, Detail: "there are some in the store"}}
}

// hasKeys tells whether the store has any keys. It makes no database where there is none, and
// migrates none.
func (d Deployment) hasKeys(ctx context.Context) (has bool, err error) {
	if d.Valkey.Address == "" {
		if _, err := os.Stat(filepath.Join(d.Data, "steno.db")); errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
		return embedded.HasKeys(ctx, d.Data)
	}
	keys, err := stores.OpenKeys(ctx, d.Config)
	if err != nil {
		return false, err
	}
	has, err = keys.HasKeys(ctx)
	return has, errors.Join(err, keys.Close())
}

// expiresSoon is how long before its end a certificate is a warning.
const expiresSoon = 14 * 24 * time.Hour

// checkTLSFiles reads the certificates and keys with which engines are reached.
func checkTLSFiles(_ context.Context, d Deployment) (all []Finding) {
	for _, engine := range slices.Sorted(maps.Keys(d.Engines.More)) {
		riva := d.Engines.More[engine].Riva
		if riva == nil || !riva.TLS.Enabled {
			continue
		}
		name := "TLS of engine " + engine
		if _, err := riva.TLS.Config(); err != nil {
			all = append(all, Finding{name, Failure, terminal.OneLine(err), "engines.more." + engine + ".riva.tls"})
			continue
		}
		all = append(all, judgeCertificates(name, time.Now(), riva.TLS.CA, riva.TLS.Cert))
	}
	return all
}

// judgeCertificates finds the certificate that ends first, in files that may be empty names.
func judgeCertificates(name string, now time.Time, files ...string) Finding {
	var first time.Time
	for _, file := range files {
		if file == "" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return Finding{name, Failure, terminal.OneLine(err), "make it readable for steno"}
		}
		for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
			if c, err := x509.ParseCertificate(block.Bytes); err == nil &&
				(first.IsZero() || c.NotAfter.Before(first)) {
				first = c.NotAfter
			}
		}
	}
	switch {
	case first.IsZero():
		return Finding{Check: name, Level: Fine, Detail: "the system's certificates are trusted"}
	case now.After(first):
		return Finding{name, Failure, "a certificate ended on " + first.Format(time.DateOnly), "renew it"}
	case now.Add(expiresSoon).After(first):
		return Finding{name, Warning, "a certificate ends on " + first.Format(time.DateOnly), "renew it"}
	}
	return Finding{Check: name, Level: Fine, Detail: "files can be read; certificates are valid until " +
		first.Format(time.DateOnly)}
}

// checkPublicURL looks whether the host of the public URL resolves and, if asked to, whether a
// gateway answers there.
func checkPublicURL(ctx context.Context, d Deployment) []Finding {
	const name = "public URL"
	if d.PublicURL == "" {
		return []Finding{{Check: name, Level: Fine, Detail: "is taken from each request"}}
	}
	ctx, cancel := context.WithTimeout(ctx, networkAnswer)
	defer cancel()
	u, err := url.Parse(d.PublicURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return []Finding{{name, Failure, d.PublicURL + " is no URL with a scheme and a host",
			"public_url: https://stt.example.org"}}
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		return []Finding{{name, Failure, terminal.OneLine(err), "public_url, or the name server's entry"}}
	}
	found := Finding{Check: name, Level: Fine, Detail: u.Hostname() + " is " + strings.Join(addresses, ", ")}
	if d.AskPublic {
		if err := askHealth(ctx, u); err != nil {
			found.Level, found.Fix = Failure, "start the gateway, and have the proxy pass on "+
				u.JoinPath("healthz").String()
			found.Detail += ", and does not answer: " + terminal.OneLine(err)
		} else {
			found.Detail += ", and answers"
		}
	}
	return []Finding{found}
}

// askHealth asks a gateway at a URL whether it is alive.
func askHealth(ctx context.Context, u *url.URL) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("healthz").String(), nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}
