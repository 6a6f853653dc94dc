package models

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// checksums is the publisher's file next to the downloads: lines of a name, a tab and the SHA-256.
const checksums = "checksum.txt"

// maxChecksums bounds it, in bytes. There are some 600 downloads in the largest release.
const maxChecksums = 4 << 20

// catalogued is the source of checksums in the catalogue.
const catalogued = "catalogue"

// published returns the checksum of the download and its source. Both are empty if there is none
// and the options accept that; the checksum alone is empty if single files are pinned.
func (i *installation) published(ctx context.Context) (sum, from string, err error) {
	if i.entry.SHA256 != "" || len(i.entry.Pinned) > 0 {
		return i.entry.SHA256, catalogued, nil
	}
	address := i.entry.from(i.options.Address, checksums)
	if strings.HasPrefix(address, "https://") {
		if sum, err = i.lookUp(ctx, address); err != nil {
			return "", "", fmt.Errorf("look up its checksum: %w", err)
		}
	}
	switch {
	case sum != "":
		return sum, checksums, nil
	case i.options.Unverified:
		return "", "", nil
	}
	return "", "", fmt.Errorf("%w: not in the catalogue, and not in %s over TLS", ErrUnverifiable, address)
}

// lookUp returns the download's checksum in the publisher's file, empty if it is not there or there
// is no file.
func (i *installation) lookUp(ctx context.Context, address string) (string, error) {
	for n := 1; ; n++ {
		sum, err := i.lookUpOnce(ctx, address)
		var f permanentError
		if err == nil || errors.As(err, &f) || ctx.Err() != nil || n == maxStuck {
			return sum, err
		}
		if err := i.options.pause(ctx, n); err != nil {
			return "", err
		}
	}
}

func (i *installation) lookUpOnce(ctx context.Context, address string) (string, error) {
	a, err := get(ctx, i.client, address, http.Header{}, i.options.idle)
	if err != nil {
		return "", err
	}
	defer a.close()
	switch a.StatusCode {
	case http.StatusOK:
		return findChecksum(a, i.entry.file())
	case http.StatusNotFound, http.StatusGone:
		return "", nil
	}
	return "", statusError(address, a.StatusCode)
}

// findChecksum reads "name<tab>sum" lines, and "sum  name" as sha256sum writes them.
func findChecksum(r io.Reader, name string) (string, error) {
	limited := &io.LimitedReader{R: r, N: maxChecksums + 1}
	lines := bufio.NewScanner(limited)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 {
			continue
		}
		if isSHA256(fields[0]) {
			fields[0], fields[1] = strings.TrimPrefix(fields[1], "*"), fields[0]
		}
		if fields[0] == name && isSHA256(fields[1]) {
			return fields[1], nil
		}
	}
	if limited.N == 0 {
		return "", permanently("%s is longer than %d bytes", checksums, maxChecksums)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return "", permanentError{lines.Err()}
	}
	return "", lines.Err()
}
