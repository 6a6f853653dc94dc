package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/store"
	"steno/session/store/blob/blobtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, address string) *Bucket {
	t.Helper()
	b, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// eachBucket runs a test on a folder and on a server.
func eachBucket(t *testing.T, test func(*testing.T, *Bucket)) {
	t.Run("folder", func(t *testing.T) { test(t, open(t, "file://"+t.TempDir())) })
	t.Run("s3", func(t *testing.T) { test(t, open(t, blobtest.S3(t, nil))) })
}

func put(t *testing.T, b *Bucket, name, content string) {
	t.Helper()
	if err := b.Put(t.Context(), name, Bytes([]byte(content))); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

func TestRoundTrip(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		ctx := t.Context()
		const name, content = "ab/file.1", "0123456789"
		put(t, b, name, "before")
		put(t, b, name, content)
		if size, err := b.Size(ctx, name); size != 10 || err != nil {
			t.Fatalf("size is %d, %v", size, err)
		}
		for _, c := range []struct {
			off, length int64
			want        string
		}{{0, -1, content}, {3, -1, "3456789"}, {0, 1, "0"}, {2, 3, "234"}, {8, 5, "89"}, {10, -1, ""}, {11, 2, ""},
			{4, 0, ""}} {
			r, err := b.Open(ctx, name, c.off, c.length)
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			got, err := io.ReadAll(r)
			if string(got) != c.want || err != nil || r.Close() != nil {
				t.Errorf("%+v: got %q, %v", c, got, err)
			}
		}
		if err := iotest.TestReader(io.NewSectionReader(readerAt{b, name}, 0, 10), []byte(content)); err != nil {
			t.Error(err)
		}
		if got, err := b.ReadAll(ctx, name, 10); string(got) != content || err != nil {
			t.Errorf("all of it is %q, %v", got, err)
		}
		_, err := b.ReadAll(ctx, name, 9)
		wants(t, err, store.ErrTooLarge)
		put(t, b, "empty", "")
		if got, err := b.ReadAll(ctx, "empty", 9); len(got) != 0 || err != nil {
			t.Errorf("the empty one is %q, %v", got, err)
		}
		wants(t, b.Ping(ctx), nil)
		if free, err := b.Free(ctx); free <= 0 || err != nil {
			t.Errorf("room is %d, %v", free, err)
		}
	})
}

// readerAt is an object as an io.ReaderAt.
type readerAt struct {
	*Bucket
	name string
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	return r.Bucket.ReadAt(context.Background(), r.name, p, off)
}

func TestAbsent(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		ctx := t.Context()
		put(t, b, "dir/file", "x")
		for _, name := range []string{"none", "dir", "dir/file/below", "dir/none"} {
			_, err := b.Size(ctx, name)
			wants(t, err, store.ErrNotFound)
			_, err = b.ReadAt(ctx, name, make([]byte, 1), 0)
			wants(t, err, store.ErrNotFound)
			if name != "dir" {
				wants(t, b.Delete(ctx, name), nil)
			}
		}
		put(t, b, "dir/file", "y")
		wants(t, b.Create(ctx, "dir/file", Bytes([]byte("z"))), store.ErrExists)
		wants(t, b.Create(ctx, "dir/other", Bytes([]byte("z"))), nil)
		if got, _ := b.ReadAll(ctx, "dir/file", 10); string(got) != "y" {
			t.Errorf("it is %q", got)
		}
		wants(t, b.Delete(ctx, "dir/file"), nil)
		_, err := b.Size(ctx, "dir/file")
		wants(t, err, store.ErrNotFound)
	})
}

func TestLists(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		all := []string{"a-b/1", "a/b/1", "a/b/2", "a/b=3", "a/c", "a0", "b/1"}
		for _, name := range all {
			put(t, b, name, name)
		}
		list := func(prefix, after string, limit int) string {
			t.Helper()
			page, err := b.List(t.Context(), prefix, after, limit)
			wants(t, err, nil)
			var names []string
			for _, o := range page {
				names = append(names, o.Name)
				if o.Size != int64(len(o.Name)) {
					t.Errorf("%s has %d bytes", o.Name, o.Size)
				}
			}
			return strings.Join(names, " ")
		}
		for _, c := range []struct {
			prefix, after string
			limit         int
			want          string
		}{
			{"", "", 10, strings.Join(all, " ")},
			{"a/", "", 10, "a/b/1 a/b/2 a/b=3 a/c"},
			{"a/b/", "", 10, "a/b/1 a/b/2"},
			{"", "a/b/1", 2, "a/b/2 a/b=3"},
			{"", "a/b", 2, "a/b/1 a/b/2"},
			{"a/", "a/c", 9, ""},
			{"none/", "", 9, ""},
		} {
			if got := list(c.prefix, c.after, c.limit); got != c.want {
				t.Errorf("%+v: %s", c, got)
			}
		}
		wants(t, b.DeletePrefix(t.Context(), "a/b/"), nil)
		wants(t, b.DeletePrefix(t.Context(), "none/"), nil)
		if got := list("", "", 10); got != "a-b/1 a/b=3 a/c a0 b/1" {
			t.Errorf("left is %s", got)
		}
		wants(t, b.DeletePrefix(t.Context(), "a"), store.ErrInvalid)
	})
}

func TestManyDeleted(t *testing.T) {
	b := open(t, t.TempDir())
	for i := range MaxPage + 10 {
		f := b.driver.(*folder)
		if err := os.MkdirAll(f.path("many"), folderMode); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path(fmt.Sprintf("many/%d", i)), nil, fileMode); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, b.DeletePrefix(t.Context(), "many/"), nil)
	if page, err := b.List(t.Context(), "", "", MaxPage); len(page) != 0 || err != nil {
		t.Errorf("left are %d, %v", len(page), err)
	}
}

func TestNames(t *testing.T) {
	b := open(t, t.TempDir())
	for _, name := range []string{"", "/a", "a/", "a//b", "../a", "a/../b", ".new/a", "a b", "ä", "a\\b",
		strings.Repeat("a", maxName+1)} {
		wants(t, b.Put(t.Context(), name, Bytes(nil)), store.ErrInvalid)
		_, err := b.Open(t.Context(), name, 0, -1)
		wants(t, err, store.ErrInvalid)
	}
}

func TestAddresses(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for _, bad := range []string{
		"", "ftp://host/a", "file://host/a", "file:///a?b=c", "s3://", "s3://steno?endpoint=host:9000",
		"s3://steno?region=a&colour=red",
		"s3://user:secret@steno", "s3://steno?s3ForcePathStyle=perhaps", "s3://steno/..", "s3://st%zz",
		"s3://b", "s3://10.0.0.1", "s3://steno-.a", "file://",
	} {
		if CheckAddress(bad) == nil {
			t.Errorf("%q passes the check", bad)
		}
		if b, err := Open(bad); err == nil {
			b.Close()
			t.Errorf("%q is accepted", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error has the password: %v", bad, err)
		}
	}
	for _, good := range []string{"s3://steno", "s3://steno/a/b?region=eu-central-1",
		"s3://steno?endpoint=http://localhost:9000"} {
		open(t, good)
		if err := CheckAddress(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// TestLarge wants an object that goes in parts to take little memory in both directions.
func TestLarge(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		const size = 3*partSize + 5
		content := bytes.Repeat([]byte("steno"), size/5)
		content = append(content, make([]byte, size-len(content))...)
		wants(t, b.Put(t.Context(), "large", Bytes(content)), nil)
		r, err := b.Open(t.Context(), "large", 7, -1)
		wants(t, err, nil)
		defer r.Close()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := io.Copy(struct{ io.Writer }{&compare{content[7:]}}, r)
		runtime.ReadMemStats(&after)
		if n != size-7 || err != nil {
			t.Fatalf("%d bytes came back, %v", n, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > size/4 && strings.Contains(t.Name(), "folder") {
			t.Errorf("reading took %d bytes of memory", grown)
		}
	})
}

// compare wants what is written to it to be the bytes it has.
type compare struct{ want []byte }

func (c *compare) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(c.want, p) {
		return 0, errors.New("the bytes are others")
	}
	c.want = c.want[len(p):]
	return len(p), nil
}

func TestManyHands(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		var made atomic.Int32
		var hands sync.WaitGroup
		for i := range 8 {
			hands.Go(func() {
				name := fmt.Sprintf("busy/%d/file", i%2)
				if b.Create(t.Context(), "once", Bytes([]byte("x"))) == nil {
					made.Add(1)
				}
				for range 20 {
					if err := b.Put(t.Context(), name, Bytes([]byte("whole"))); err != nil {
						t.Error(err)
					}
					if got, err := b.ReadAll(t.Context(), name, 10); err == nil && string(got) != "whole" {
						t.Errorf("read %q", got)
					}
					if err := b.DeletePrefix(t.Context(), fmt.Sprintf("busy/%d/", i%2)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		hands.Wait()
		if made.Load() != 1 {
			t.Errorf("one object was created %d times", made.Load())
		}
	})
}

func TestEndedContext(t *testing.T) {
	eachBucket(t, func(t *testing.T, b *Bucket) {
		put(t, b, "file", "x")
		ctx, cancel := context.WithCancel(t.Context())
		r, err := b.Open(ctx, "file", 0, -1)
		wants(t, err, nil)
		cancel()
		_, err = io.ReadAll(r)
		if err != nil { // it may have been read already
			wants(t, err, context.Canceled)
		}
		wants(t, r.Close(), nil)
		_, err = b.Open(ctx, "file", 0, -1)
		wants(t, err, context.Canceled)
		wants(t, b.Put(ctx, "other", Bytes([]byte("y"))), context.Canceled)
		wants(t, b.Delete(ctx, "file"), context.Canceled)
		wants(t, b.Ping(ctx), context.Canceled)
		if page, err := b.List(t.Context(), "", "", 10); len(page) != 1 || err != nil {
			t.Errorf("there are %v, %v", page, err)
		}
	})
}

func TestAway(t *testing.T) {
	var status atomic.Int32
	b := open(t, blobtest.S3(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if code := int(status.Load()); code != 0 {
				http.Error(w, "no", code)
				return
			}
			next.ServeHTTP(w, r)
		})
	}))
	put(t, b, "file", "x")
	for _, code := range []int{http.StatusServiceUnavailable, http.StatusInternalServerError} {
		status.Store(int32(code))
		_, err := b.ReadAll(t.Context(), "file", 10)
		wants(t, err, store.ErrAway)
		wants(t, b.Ping(t.Context()), store.ErrAway)
	}
	status.Store(http.StatusForbidden)
	if err := b.Ping(t.Context()); err == nil || errors.Is(err, store.ErrAway) {
		t.Errorf("forbidden is %v", err)
	}
	status.Store(0)
	wants(t, b.Ping(t.Context()), nil)

	gone := open(t, "s3://steno?region=a&s3ForcePathStyle=true&endpoint=http://127.0.0.1:1")
	wants(t, gone.Ping(t.Context()), store.ErrAway)
	wants(t, gone.Put(t.Context(), "file", Bytes(nil)), store.ErrAway)
}

func TestFolderLeftovers(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	put(t, b, "file", "x")
	young, old := filepath.Join(dir, newFiles, "young"), filepath.Join(dir, newFiles, "old")
	for _, path := range []string{young, old} {
		if err := os.WriteFile(path, []byte("half"), fileMode); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * staleAfter)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if page, err := again.List(t.Context(), "", "", 10); len(page) != 1 || err != nil {
		t.Errorf("there are %v, %v", page, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, newFiles)); len(left) != 1 || left[0].Name() != "young" {
		t.Errorf("left is %v", left)
	}
}

// What a killed process was writing is removed with the objects of its folder.
func TestFolderLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	long := "r/3/" + strings.Repeat("x", 240)
	for _, name := range []string{"r/1/a/audio", "r/1/b/audio", "r/2/a/audio", long} {
		put(t, b, name, "x")
		path := filepath.Join(dir, newFiles, begun(name)+slash+"ABC")
		if err := os.WriteFile(path, []byte("half"), fileMode); err != nil {
			t.Fatal(err)
		}
		if before := time.Now().Add(-2 * idleAfter); name != "r/2/a/audio" {
			if err := os.Chtimes(path, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	left := func() (names []string) {
		entries, err := os.ReadDir(filepath.Join(dir, newFiles))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name()[:5])
		}
		return names
	}
	for _, c := range []struct {
		prefix string
		want   []string
	}{
		{"r/1/a/", []string{"r+1+b", "r+2+a", "r+3+x"}}, {"r/3/", []string{"r+1+b", "r+2+a"}},
		{"r/", []string{"r+2+a"}}, // which is being written
	} {
		if err := b.DeletePrefix(t.Context(), c.prefix); err != nil {
			t.Fatal(err)
		}
		if got := left(); !slices.Equal(got, c.want) {
			t.Errorf("after the removal of %s: %v, want %v", c.prefix, got, c.want)
		}
	}
}

// An object that was opened may wait to be read: that is no stall of the storage.
func TestReadLate(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := open(t, dir)
		put(t, b, "file", "content")
		r, err := b.Open(t.Context(), "file", 0, -1)
		wants(t, err, nil)
		defer r.Close()
		time.Sleep(2 * answerTimeout)
		if content, err := io.ReadAll(r); string(content) != "content" || err != nil {
			t.Errorf("read %q, %v", content, err)
		}
	})
}
