package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"steno/session/retry"
)

// Options are the options of Install.
type Options struct {
	// Address is that of a mirror. A file is looked for below it by the last two parts of its
	// official address, such as "asr-models/x.tar.bz2". Empty: the official addresses.
	Address string
	// Unverified accepts a download without a published checksum.
	Unverified bool
	// Store is a folder in which models with pinned files are kept for several folders of models,
	// see [StoreFolder]. Empty, or not writable: none.
	Store string
	// Failed is called on the goroutine of Install with the error of an origin, before the next one
	// is tried. It may be nil.
	Failed func(err error)
	// Progress is called on the goroutine of Install; total is -1 if it is unknown. It may be nil.
	Progress func(s Stage, done, total int64)
	// Try is called with the folder of a model that is complete but not taken into use yet, and may
	// read its manifest there. An error keeps it from being installed; the download is kept for the
	// next Install. It may be nil.
	Try func(ctx context.Context, dir string) error
	// Client makes the requests; nil: one that verifies TLS and uses the environment's proxy.
	Client *http.Client

	pause func(ctx context.Context, n int) error // before attempt n; nil: longer each time
	idle  time.Duration                          // without a byte until a connection counts as broken; 0: idleTimeout
	most  int64                                  // unpacked bytes; 0: maxUnpacked
}

// Stage is a step of an installation.
type Stage string

const (
	Waiting   Stage = "waiting" // for another process that installs the same model
	Fetching  Stage = "fetching"
	Checking  Stage = "checking"
	Unpacking Stage = "unpacking"
)

// Errors of an installation that the caller may act upon.
var (
	// ErrUnverifiable means that no checksum of the download is published.
	ErrUnverifiable = errors.New("no checksum is published to check it against")
	// ErrChecksum means that the download differs from what was published. It was removed.
	ErrChecksum = errors.New("the download is damaged, or was changed")
	// ErrTrial means that [Options.Try] refused the model.
	ErrTrial = errors.New("it failed its test and is not taken into use")
	// ErrOccupied means that the folder of the model's name holds something else.
	ErrOccupied = errors.New("its folder holds something that was not installed here")
)

// Install fetches a model into <dir>/<name> and returns its manifest; if it is installed already it
// returns only that. It resumes an interrupted Install. Several processes may run it concurrently:
// one installs, the others wait. If ctx is cancelled the next Install resumes.
func Install(ctx context.Context, e Entry, dir string, o Options) (Manifest, error) {
	m, err := install(ctx, e, dir, o)
	if err != nil {
		return Manifest{}, fmt.Errorf("model %s: %w", e.Name, err)
	}
	return m, nil
}

func install(ctx context.Context, e Entry, dir string, o Options) (Manifest, error) {
	if err := checkName(e.Name); err != nil {
		return Manifest{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Manifest{}, err
	}
	i, err := newInstallation(e, dir, o)
	if err != nil {
		return Manifest{}, err
	}
	defer i.client.CloseIdleConnections()
	unlock, err := lock(ctx, dir, e.Name, func() { i.progress(Waiting, 0, -1) })
	if err != nil {
		return Manifest{}, err
	}
	defer unlock()
	switch m, err := ReadManifest(i.final); {
	case err == nil:
		return m, nil
	case !errors.Is(err, ErrNoManifest):
		return Manifest{}, err
	}
	if exists(i.final) {
		return Manifest{}, fmt.Errorf("%w: %s", ErrOccupied, i.final)
	}
	if i.usesStore() {
		return i.fromStore(ctx)
	}
	return i.run(ctx)
}

// installation is one run of Install, with the lock held.
type installation struct {
	entry   Entry
	options Options
	client  *http.Client
	address string // of the download
	dir     string
	final   string // the model's folder
	hidden  string // prefix of the names of everything unfinished
}

func newInstallation(e Entry, dir string, o Options) (*installation, error) {
	i := &installation{
		entry: e, options: o, dir: dir, address: e.from(o.Address, e.file()),
		final: filepath.Join(dir, e.Name), hidden: filepath.Join(dir, "."+e.Name),
	}
	if i.options.idle == 0 {
		i.options.idle = idleTimeout
	}
	if i.options.most == 0 {
		i.options.most = maxUnpacked
	}
	if i.options.pause == nil {
		i.options.pause = pause
	}
	var err error
	i.client, err = secureClient(o.Client, i.address, i.options.idle)
	return i, err
}

func (i *installation) progress(s Stage, done, total int64) {
	if i.options.Progress != nil {
		i.options.Progress(s, done, total)
	}
}

// byAddress does what is left to do of an installation from the download's address.
func (i *installation) byAddress(ctx context.Context) (Manifest, error) {
	sum, from, err := i.published(ctx)
	if err != nil {
		return Manifest{}, err
	}
	part, err := openPart(i.hidden, i.address)
	if err != nil {
		return Manifest{}, err
	}
	defer part.close()
	if err := i.fetch(ctx, part); err != nil {
		return Manifest{}, err
	}
	if err := i.check(ctx, part, sum); err != nil {
		return Manifest{}, err
	}
	m := i.manifest(i.address)
	m.Verified = from
	if m, err = i.unpack(ctx, part, m); err != nil {
		return Manifest{}, err
	}
	part.remove()
	return m, nil
}

// manifest describes the model as it comes from an origin, without files.
func (i *installation) manifest(source string) Manifest {
	return Manifest{
		Name: i.entry.Name, Languages: append([]string{}, i.entry.Languages...), Kind: i.entry.Kind,
		Licence: i.entry.Licence, Source: source, Verified: catalogued,
	}
}

// check compares the download with its checksum, if there is one, and removes it if they differ.
func (i *installation) check(ctx context.Context, p *part, want string) error {
	if want == "" {
		return nil
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	got, err := i.digest(ctx, p.file, p.size)
	if err != nil {
		return err
	}
	if got != want {
		p.remove()
		return fmt.Errorf("%w: SHA-256 of %s is %s, and %s is published; it was removed", ErrChecksum, i.address, got,
			want)
	}
	return nil
}

// digest returns the SHA-256 of what r holds, in hexadecimal.
func digest(r io.Reader) (string, error) {
	hash := sha256.New()
	_, err := io.Copy(hash, r)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// countingReader reads until ctx ends and reports how many bytes it has read.
type countingReader struct {
	ctx   context.Context
	r     io.Reader
	n     int64
	count func(n int64)
}

func (c *countingReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.count(c.n)
	return n, err
}

// checkName refuses names that are not those of a folder within another, or hidden there.
func checkName(name string) error {
	if !inside(name) || strings.ContainsRune(name, '/') || strings.HasPrefix(name, ".") || len(name) > 128 {
		return fmt.Errorf("%q cannot be a model's name", name)
	}
	return nil
}

// pause waits before attempt n: 1, 2, 4 seconds and so on, at most 30.
func pause(ctx context.Context, n int) error {
	return retry.Sleep(ctx, retry.Exponential(time.Second, 30*time.Second, n))
}
