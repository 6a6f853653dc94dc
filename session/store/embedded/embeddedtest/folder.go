// Package embeddedtest makes data folders for tests of what uses the embedded store.
package embeddedtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"steno/session/store/embedded"
)

// Folder returns a folder that ends with the test and has a new database. To make one takes long
// under the race detector; this one is a copy.
func Folder(t testing.TB) string {
	t.Helper()
	database, err := newDatabase()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, databaseName), database, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const databaseName = "steno.db"

// newDatabase returns the file of a database without rows.
var newDatabase = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "steno-database-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := embedded.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, fmt.Errorf("close store: %w", err)
	}
	return os.ReadFile(filepath.Join(dir, databaseName))
})
