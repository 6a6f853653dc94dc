package main

import (
	"fmt"
	"os"

	"github.com/rs/zerolog"
)

// makePrivate removes the permissions of all but the owner from a folder that exists. It reports
// whether there was anything to take.
func makePrivate(folder string) (changed bool, err error) {
	info, err := os.Stat(folder)
	if err != nil {
		return false, fmt.Errorf("look at data folder: %w", err)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return false, nil
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return false, fmt.Errorf("make data folder private: %w", err)
	}
	return true, nil
}

// keepPrivate makes the data folder private and logs what came of it. One that cannot be made
// private is used nevertheless: the files in it are private.
func keepPrivate(folder string, log zerolog.Logger) {
	changed, err := makePrivate(folder)
	switch {
	case err != nil:
		log.Warn().Str("folder", folder).Err(err).Msg("others may look into the data folder: change its mode to 0700")
	case changed:
		log.Info().Str("folder", folder).Msg("data folder made private (mode 0700)")
	}
}
