package endtoend_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// profileVariable is the environment variable with the file that BenchmarkFrameCost adds profiles
// of the gateway's processor time to. The compiler optimises the gateway for such a profile:
// cmd/steno/default.pgo, see make profile.
const profileVariable = "STENO_PROFILE"

// profiled takes a profile of the gateway with this admin address while something is done, if the
// environment asks for that.
func profiled(b *testing.B, admin string, lasts time.Duration, do func()) {
	b.Helper()
	path := os.Getenv(profileVariable)
	if path == "" || admin == "" {
		do()
		return
	}
	taken := make(chan error)
	go func() {
		p, err := takeProfile(b, admin, lasts)
		if err == nil {
			err = addProfile(path, p)
		}
		taken <- err
	}()
	do()
	if err := <-taken; err != nil {
		b.Fatal(err)
	}
}

// takeProfile takes a profile of the gateway with this admin address.
func takeProfile(b *testing.B, admin string, lasts time.Duration) (*profile.Profile, error) {
	url := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%.0f", admin, lasts.Seconds())
	resp, err := response(b.Context(), url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("profile: %s", resp.Status)
	}
	return profile.Parse(resp.Body)
}

// addProfile adds a profile to those of a file. Only what the compiler reads is kept: functions by
// name, and lines within them.
func addProfile(path string, p *profile.Profile) error {
	all := []*profile.Profile{p}
	switch f, err := os.Open(path); {
	case err == nil:
		before, err := profile.Parse(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("read profiles: %w", err)
		}
		all = append(all, before)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, p := range all {
		for _, m := range p.Mapping {
			m.File, m.BuildID = "", ""
		}
		for _, f := range p.Function {
			f.Filename = ""
		}
	}
	sum, err := profile.Merge(all)
	if err != nil {
		return fmt.Errorf("merge profiles: %w", err)
	}
	sum.TimeNanos = 0
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(sum.Write(f), f.Close())
}
