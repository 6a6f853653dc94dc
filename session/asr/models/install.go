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
	// Address is that of a mirror. A file is looked for below it by the last two parts of its official address, such as
	// "asr-models/x.tar.bz2". Empty: the official addresses.
	Address string
	// Unverified accepts a download without a published checksum.
	Unverified bool
	// Progress is called on the goroutine of Install; total is -1 if it is unknown. It may be nil.
	Progress func(s Stage, done, total int64)
	// Try is called with the folder of a model that is complete but not taken into use yet, and may read its manifest there.
	// An error keeps it from being installed; the download is kept for the next Install. It may be nil.
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
	// ErrUnverifiable says that no checksum of the download is published.
	ErrUnverifiable = errors.New("no checksum is published to check it against")
	// ErrChecksum says that the download differs from what was published. It was removed.
	ErrChecksum = errors.New("the download is damaged, or was changed")
	// ErrTrial says that [Options.Try] refused the model.
	ErrTrial = errors.New("it failed its test and is not taken into use")
	// ErrOccupied says that the folder of the model's name holds something else.
	ErrOccupied = errors.New("its folder holds something that was not installed here")
)

// Install fetches a model into <dir>/<name> and returns its manifest; if it is installed already it returns only that.
// It resumes an interrupted Install. It may run in several processes at once: one installs, the others wait. If ctx is
// cancelled the next Install resumes.
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

// run does what is left to do.
func (i *installation) run(ctx context.Context) (Manifest, error) {
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
	m := Manifest{
		Name: i.entry.Name, Languages: append([]string{}, i.entry.Languages...), Kind: i.entry.Kind,
		Licence: i.entry.Licence, Source: i.address, Verified: from,
	}
	if m, err = i.unpack(ctx, part, m); err != nil {
		return Manifest{}, err
	}
	part.remove()
	return m, nil
}

// check compares the download with its checksum, if there is one, and removes it if they differ.
func (i *installation) check(ctx context.Context, p *part, want string) error {
	if want == "" {
		return nil
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	hash := sha256.New()
	from := &countingReader{ctx: ctx, r: p.file, count: func(n int64) { i.progress(Checking, n, p.size) }}
	if _, err := io.Copy(hash, from); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		p.remove()
		return fmt.Errorf("%w: SHA-256 of %s is %s, and %s is published; it was removed", ErrChecksum, i.address, got, want)
	}
	return nil
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
