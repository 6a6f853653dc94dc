package certificates

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// lookEvery is the least time between two looks at the files of a certificate.
const lookEvery = time.Second

// certificateFiles is a certificate and its key, in files that may be replaced at any time: a
// handshake a second later has the new ones. It is safe for concurrent use.
type certificateFiles struct {
	cert, key string
	log       zerolog.Logger

	mu     sync.Mutex
	loaded *tls.Certificate
	stamp  string    // of the files that were read
	looked time.Time // at the files
}

// certificate implements tls.Config.GetCertificate. Files that cannot be used leave the certificate
// before them in use.
func (f *certificateFiles) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) >= lookEvery {
		if err := f.reload(); err != nil {
			f.log.Error().Err(err).Msg("new certificate not taken")
		}
	}
	return f.loaded, nil
}

// load reads the files.
func (f *certificateFiles) load() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reload()
}

// reload reads the files again if they were replaced. It is called with mu held.
func (f *certificateFiles) reload() error {
	f.looked = time.Now()
	stamp, err := stampOf(f.cert, f.key)
	if err != nil || stamp == f.stamp {
		return err
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return err
	}
	if f.stamp != "" {
		f.log.Info().Str("file", f.cert).Msg("new certificate")
	}
	f.stamp, f.loaded = stamp, &pair
	return nil
}

// stampOf changes when one of the files does.
func stampOf(paths ...string) (stamp string, err error) {
	for _, path := range paths {
		info, e := os.Stat(path)
		if err = errors.Join(err, e); e == nil {
			stamp += fmt.Sprint(info.ModTime().UnixNano(), info.Size(), " ")
		}
	}
	return stamp, err
}
