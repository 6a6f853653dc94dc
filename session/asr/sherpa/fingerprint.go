package sherpa

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFiles bounds the files in a model's folder.
const maxFiles = 4096

// fingerprint identifies the contents of a folder by the names, sizes and times of all files, and
// by whether they may be read, without reading them. What is removed meanwhile is left out.
func fingerprint(dir string) (string, error) {
	h := sha256.New()
	n := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if n++; n > maxFiles {
			return fmt.Errorf("more than %d files", maxFiles)
		}
		if err == nil {
			err = mark(h, path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// mark writes what identifies a file's contents.
func mark(w io.Writer, path string) error {
	stat, err := os.Stat(path) // of a link's target
	if errors.Is(err, fs.ErrNotExist) {
		stat, err = os.Lstat(path) // of a link without a target
	}
	if err != nil {
		return err
	}
	switch {
	case stat.IsDir():
		_, err = fmt.Fprintf(w, "%q\n", path)
	case stat.Mode().IsRegular() && !readable(path):
		_, err = fmt.Fprintf(w, "%q %d %d unreadable\n", path, stat.Size(), stat.ModTime().UnixNano())
	default:
		_, err = fmt.Fprintf(w, "%q %d %d\n", path, stat.Size(), stat.ModTime().UnixNano())
	}
	return err
}

// readable reports whether a file can be opened. Other owners and rights change none of its times.
func readable(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
