package sherpa

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFiles bounds the files in a model's folder.
const maxFiles = 4096

// fingerprint tells contents of a folder from others by the names, sizes and times of all files. It reads none of them.
func fingerprint(dir string) (string, error) {
	h := sha256.New()
	n := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if n++; n > maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
		stat, err := os.Stat(path) // of what a link leads to
		if err != nil {
			return err
		}
		if stat.IsDir() {
			fmt.Fprintf(h, "%q\n", path)
		} else {
			fmt.Fprintf(h, "%q %d %d\n", path, stat.Size(), stat.ModTime().UnixNano())
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
