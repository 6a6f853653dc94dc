package valkey

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/valkeytest"
)

// TestBackup backs up a store that is in use, and restores it into another server and another
// folder.
func TestBackup(t *testing.T) {
	server, dir := valkeytest.Start(t), filepath.Join(t.TempDir(), "backup")
	o := Options{Addr: server.Addr(), Node: "tool", Blobs: t.TempDir(), Spool: t.TempDir(), Erase: -1}
	s := openBlobs(t, server.Addr(), o.Blobs)
	ids := fillStore(t, s)
	n := node{s, t}
	n.create("running")
	l := n.claim("running", store.IfFree)
	appendAudio(t, l, 3200)
	settled(t, l)

	w, err := backup.Create(dir, backup.Blobs)
	must(t, err)
	done, err := Backup(t.Context(), o, w)
	must(t, err)
	m, err := w.Close()
	must(t, err)
	if done.Records != 3 || done.Uploads != 1 || len(m.Files) != done.Objects+1 {
		t.Errorf("backed up are %+v, %d files", done, len(m.Files))
	}
	for _, f := range m.Files {
		if strings.Contains(f.Name, "running") || strings.Contains(f.Name, "deleted") {
			t.Errorf("the backup has %s", f.Name)
		}
	}
	other := Options{Addr: valkeytest.Start(t).Addr(), Node: "tool", Blobs: t.TempDir()}
	back, err := Restore(t.Context(), other, dir, m, nil)
	must(t, err)
	if want := (Rebuilt{Records: 3, Uploads: 1, Keys: 1, Secrets: 2}); !reflect.DeepEqual(back, want) {
		t.Errorf("restored are %+v", back)
	}
	restored := openBlobs(t, other.Addr, other.Blobs)
	for _, id := range ids {
		if got, want := wholeOf(t, restored, id), wholeOf(t, s, id); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%.700v, was\n%.700v", id, got, want)
		}
	}
	if _, err := Restore(t.Context(), other, dir, m, nil); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("restored into what has something: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(dir, m.Files[0].Name), bytes.Repeat([]byte("x"), int(m.Files[0].Size)), 0o600))
	empty := Options{Addr: valkeytest.Start(t).Addr(), Node: "tool", Blobs: t.TempDir()}
	_, err = Restore(t.Context(), empty, dir, m, nil)
	wants(t, err, backup.ErrDamaged)
	if entries, err := os.ReadDir(empty.Blobs); err != nil || len(entries) > 0 {
		t.Errorf("of a damaged backup something was restored: %v, %v", entries, err)
	}
}
