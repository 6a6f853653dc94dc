package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/cmd/steno/doctor"
	"steno/session/store/embedded"
)

// examination runs steno doctor with flags, and returns what it finds, by check. The command fails
// where a finding is a failure, and only there.
func examination(t *testing.T, args ...string) map[string]doctor.Finding {
	t.Helper()
	var out bytes.Buffer
	p := process{stdout: &out, stderr: io.Discard}
	err := run(t.Context(), append([]string{"doctor", "--json"}, args...), p)
	var list []doctor.Finding
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	all, failures := map[string]doctor.Finding{}, false
	for _, f := range list {
		if _, twice := all[f.Check]; twice {
			t.Errorf("%s is found twice", f.Check)
		}
		all[f.Check] = f
		failures = failures || f.Level == doctor.Failure
	}
	if (err != nil) != failures {
		t.Errorf("failures: %v, but the command's error is %v", failures, err)
	}
	return all
}

// emptyFolder is a data folder in which there is nothing yet.
func emptyFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The doctor of a new version leaves the database of an old one what it is: it is migrated at the
// start, and not backwards.
func TestDoctorMigratesNothing(t *testing.T) {
	dir := emptyFolder(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, "steno.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	version := func() (n int) {
		if err := db.QueryRowContext(t.Context(), `SELECT max(version_id) FROM goose_db_version`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := db.ExecContext(t.Context(),
		`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	old := version()
	if f := examination(t, "--data", dir, "--engine", "scripted")["API keys"]; f.Level != doctor.Warning {
		t.Errorf("%+v", f)
	}
	if now := version(); now != old {
		t.Errorf("the database of version %d has become one of version %d", old, now)
	}
}

// Damage of a data folder is found before a gateway starts, and nothing is changed by that.
func TestDoctorDamage(t *testing.T) {
	dir := emptyFolder(t)
	check := func(want doctor.Level, text string) {
		t.Helper()
		f := examination(t, "--data", dir, "--engine", "scripted")["stored data"]
		if f.Level != want || !strings.Contains(f.Detail, text) {
			t.Errorf("%+v, want %s with %q", f, want, text)
		}
	}
	check(doctor.Fine, "no damage")
	path, content := spoil(t, dir)
	check(doctor.Failure, "database is damaged")
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the database was changed, %v", err)
	}
}
