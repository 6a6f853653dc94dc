package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/pressly/goose/v3"
)

// ErrNewer means that the database was made by a newer program than this one.
var ErrNewer = errors.New("database is newer than this program")

//go:embed migrations/*.sql
var migrations embed.FS

// migrator steps a database up through the versions in migrations. There is no way down.
func migrator(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("open migrations: %w", err)
	}
	scripts, err := readScripts(files)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true),
		goose.WithExcludeNames(slices.Collect(maps.Keys(scripts))),
		goose.WithGoMigrations(slices.Collect(maps.Values(scripts))...))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

// readScripts returns the migrations that are transactions, and have no way back, by the names of
// their files. SQLite takes such a file as it is. Goose parses the others, and may clear megabytes
// of memory for each line.
func readScripts(files fs.FS) (map[string]*goose.Migration, error) {
	names, err := fs.Glob(files, "*.sql")
	scripts := map[string]*goose.Migration{}
	for _, name := range names {
		script, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(script, []byte("-- +goose NO TRANSACTION")) ||
			bytes.Contains(script, []byte("-- +goose Down")) {
			continue
		}
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		scripts[name] = goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, string(script))
			return err
		}}, nil)
	}
	return scripts, err
}

// migrate brings the database to the version this program knows.
func migrate(ctx context.Context, db *sql.DB) error {
	p, err := migrator(db)
	if err != nil {
		return err
	}
	if err := checkNotNewer(ctx, p); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	return nil
}

// checkNotNewer refuses a database that a newer program has made. Errors: ErrNewer.
func checkNotNewer(ctx context.Context, p *goose.Provider) error {
	have, want, err := versions(ctx, p)
	if err == nil && have > want {
		err = fmt.Errorf("%w: version %d, known up to %d", ErrNewer, have, want)
	}
	return err
}

// checkVersion refuses a database that is not at the version this program knows.
func checkVersion(ctx context.Context, db *sql.DB) error {
	p, err := migrator(db)
	if err != nil {
		return err
	}
	have, want, err := versions(ctx, p)
	if err == nil && have != want {
		err = fmt.Errorf("database is at version %d, this program is made for %d", have, want)
	}
	return err
}

// versions returns the version of the database and the one that this program knows.
func versions(ctx context.Context, p *goose.Provider) (have, want int64, err error) {
	if have, want, err = p.GetVersions(ctx); err != nil {
		return 0, 0, fmt.Errorf("read database version: %w", err)
	}
	return have, want, nil
}
