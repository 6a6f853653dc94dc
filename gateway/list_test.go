package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
)

// finishedJobs makes finished records of recorded files, the newest last, each with a result of
// size bytes.
func (r *testServer) finishedJobs(sizes ...int) (ids []string) {
	r.t.Helper()
	for i, size := range sizes {
		at := time.Now().Add(time.Duration(i-len(sizes)) * time.Second).UTC().Truncate(time.Millisecond)
		record := store.Record{
			ID: uuid.NewString(), Account: DefaultAccount, Kind: messages.JobPreRecorded, Status: messages.StatusDone,
			Version: messages.Version, CreatedAt: at, CompletedAt: &at,
			Params: json.RawMessage(`{"audio_url":"http://a.example/a.wav"}`),
			Result: json.RawMessage(`{"text":"` + strings.Repeat("x", size) + `"}`),
		}
		if err := r.store.Create(r.t.Context(), record); err != nil {
			r.t.Fatal(err)
		}
		ids = append(ids, record.ID)
	}
	return ids
}

// page requests a page of a list.
func (r *testServer) page(address string) messages.Page {
	r.t.Helper()
	a := r.do("GET", strings.TrimPrefix(address, r.http.URL), "")
	var page messages.Page
	if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 || a.header.Get("Content-Type") !=
		"application/json" {
		r.t.Fatalf("%d %v %.200s", a.status, err, a.body)
	}
	return page
}

// A job in a list equals the job by its id, messages included.
func TestListEqualsGet(t *testing.T) {
	r := newTestServer(t, nil)
	id, _ := play(t, r, `{"custom_metadata":{"a":"<b>","result":null}}`, speech(4, 5))
	r.create(`{}`)
	r.finishedJobs(10)
	messagesOf := func(result json.RawMessage) (list []string) {
		var got struct{ Messages *[]string }
		if err := json.Unmarshal(result, &got); err != nil || got.Messages == nil {
			t.Fatalf("no list of messages: %v", err)
		}
		return *got.Messages
	}
	for _, path := range []string{"/v2/live", "/v2/transcription"} {
		a := r.do("GET", path, "")
		var page struct{ Items []json.RawMessage }
		if err := json.Unmarshal(a.body, &page); err != nil || len(page.Items) < 2 {
			t.Fatalf("%v: %s", err, a.body)
		}
		for _, item := range page.Items {
			var job messages.Job
			if err := json.Unmarshal(item, &job); err != nil {
				t.Fatal(err)
			}
			byID := r.do("GET", "/v2/transcription/"+job.ID, "")
			if !bytes.Equal(bytes.TrimSpace(byID.body), item) {
				t.Errorf("listed  %s\nby id   %s", item, byID.body)
			}
			if job.ID == id && len(messagesOf(job.Result)) < 5 {
				t.Errorf("%d messages", len(messagesOf(job.Result)))
			}
		}
	}
}

// A page ends when it has enough bytes, and the next one continues there.
func TestPageBytes(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.PageBytes = 10_000 })
	ids := r.finishedJobs(100, 100, 4000, 50_000, 4000, 4000, 4000, 100)
	slices.Reverse(ids)
	var got, sizes []string
	for next := r.http.URL + "/v2/pre-recorded?limit=4&status=done"; next != ""; {
		page := r.page(next)
		for _, job := range page.Items {
			got = append(got, job.ID)
		}
		sizes = append(sizes, fmt.Sprint(len(page.Items)))
		if next = ""; page.Next != nil {
			next = *page.Next
			if want := fmt.Sprintf("limit=4&offset=%d&", len(got)); !strings.Contains(next, want) {
				t.Errorf("next is %q, want %q in it", next, want)
			}
		}
	}
	if !slices.Equal(got, ids) {
		t.Errorf("got %q, want %q", got, ids)
	}
	if want := "3 1 1 3"; strings.Join(sizes, " ") != want {
		t.Errorf("pages of %q, want %q", sizes, want)
	}
}

// memoryMeter is a response that records the most memory in use while the answer is written.
type memoryMeter struct {
	*httptest.ResponseRecorder
	most uint64
}

func (w *memoryMeter) Write(p []byte) (int, error) {
	w.most = max(w.most, inUse())
	return len(p), nil
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// However many large jobs a page has, only one of them is in memory.
func TestListMemory(t *testing.T) {
	const size, jobs = 2 << 20, 7
	r := newTestServer(t, nil)
	r.finishedJobs(slices.Repeat([]int{size}, jobs)...)
	req := httptest.NewRequest("GET", "/v2/transcription?limit=100", nil)
	req.Header.Set("x-service-key", testKey)
	w := &memoryMeter{ResponseRecorder: httptest.NewRecorder()}
	before := inUse()
	r.server.handler.ServeHTTP(w, req)
	if w.Code != 200 || w.most < before+size {
		t.Fatalf("%d, %d bytes more while the answer was written", w.Code, w.most-before)
	}
	if held := w.most - before; held > 3*size {
		t.Errorf("%d bytes are held for a page of %d", held, size*jobs)
	}
}

// blockedWriter is a response that blocks until its gate is opened.
type blockedWriter struct {
	*httptest.ResponseRecorder
	begun chan<- struct{}
	gate  <-chan struct{}
}

func (w *blockedWriter) Write(p []byte) (int, error) {
	w.begun <- struct{}{}
	<-w.gate
	return w.ResponseRecorder.Write(p)
}

// However many clients do not read their answers, others are answered, of the same key and of
// another; and a result is in memory once, however many of them read it.
func TestSlowReadersHoldNothing(t *testing.T) {
	const size, readers = 2 << 20, 24
	r := newTestServer(t, nil)
	r.addKey("other")
	large := "/v2/pre-recorded/" + r.finishedJobs(size)[0]
	id := r.said("Call", "Hello.")
	begun, gate := make(chan struct{}, 8*readers), make(chan struct{})
	var all sync.WaitGroup
	ask := func(path string) {
		req := httptest.NewRequest("GET", path, nil)
		req.Header.Set("x-service-key", testKey)
		w := &blockedWriter{httptest.NewRecorder(), begun, gate}
		all.Go(func() {
			if r.server.handler.ServeHTTP(w, req); w.Code != 200 || w.Body.Len() == 0 {
				t.Errorf("%s: answered with %d", path, w.Code)
			}
		})
		<-begun
	}
	before := inUse()
	for range readers {
		ask(large)
	}
	if held := int64(inUse()) - int64(before); held > 3*size {
		t.Errorf("%d bytes are held for %d readers of %d", held, readers, size)
	}
	for range readers {
		for _, path := range []string{"/v2/transcription", "/v2/live/" + id, "/v2/live/" + id + "/outline",
			"/v2/live/" + id + "/utterances", "/v2/live/" + id + "/transcript", "/v2/records"} {
			ask(path)
		}
	}
	for _, key := range []string{testKey, "other"} {
		for _, path := range []string{"/v2/transcription", "/v2/records", "/v2/live/" + id + "/outline"} {
			if a := r.do("GET", path, "", "x-service-key", key); a.status != 200 && key == testKey || a.status >= 500 {
				t.Errorf("%s for %s: %d %s", path, key, a.status, a.body)
			}
		}
	}
	close(gate)
	all.Wait()
}

// failingStore is a store that fails to read records after a while.
type failingStore struct {
	*embedded.Store
	left int
}

func (f *failingStore) Get(ctx context.Context, account, id string) (store.Record, error) {
	if f.left--; f.left < 0 {
		return store.Record{}, errors.New("disk on fire")
	}
	return f.Store.Get(ctx, account, id)
}

// A page that fails before any byte was written is refused; one that fails later is cut off, so
// that no client takes it for complete.
func TestListFailure(t *testing.T) {
	r := newTestServer(t, nil)
	r.finishedJobs(100_000, 100_000, 100_000)
	for _, left := range []int{0, 2} {
		r.server.records.Store = &failingStore{r.store, left}
		req, err := http.NewRequestWithContext(t.Context(), "GET", r.http.URL+"/v2/pre-recorded", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("x-service-key", testKey)
		res, err := r.http.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if left == 0 && (res.StatusCode != 500 || err != nil || bytes.Contains(body, []byte("fire"))) {
			t.Errorf("%d %s %v", res.StatusCode, body, err)
		}
		if left > 0 && (res.StatusCode != 200 || err == nil || json.Valid(body)) {
			t.Errorf("%d, %d bytes, %v", res.StatusCode, len(body), err)
		}
		_ = res.Body.Close()
	}
	if !strings.Contains(r.lines.String(), "disk on fire") {
		t.Error("the cause is not logged")
	}
	r.server.records.Store = r.store
}
