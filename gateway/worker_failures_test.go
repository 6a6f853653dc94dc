package gateway

import (
	"context"
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/uploads"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
)

// Recordings that cannot be fetched, or are none, end with the code of the cause, and leave
// nothing.
func TestFailuresOfRecordedJobs(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, func(c *Config) { c.Limits.Upload = 200_000; c.Limits.Recorded = 5 * time.Second })
	var err error
	if r.media, err = sandboxed(media.Limits{Seconds: 5}); err != nil {
		t.Fatal(err)
	}
	r.restart()
	wav := wavOf(speech(2, 1), 16000, 1)
	lying := append([]byte(nil), wav...)
	binary.LittleEndian.PutUint32(lying[4:], 0xFFFFFFF0)
	binary.LittleEndian.PutUint32(lying[40:], 0xFFFFFFFF)
	files := map[string][]byte{
		"/empty.wav":    {},
		"/text.mp3":     []byte(strings.Repeat("no recording at all ", 200)),
		"/playlist.wav": []byte("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
		"/concat.wav":   []byte("ffconcat version 1.0\nfile /etc/passwd\n"),
		"/zip.wav":      append([]byte("PK\x03\x04"), wav...),
		"/bomb.gz":      append([]byte("\x1f\x8b\x08\x00"), make([]byte, 1000)...),
		"/damaged.flac": []byte("fLaC" + strings.Repeat("\xff\x00", 200)),
		"/headless.mp4": []byte("\x00\x00\x00\x20ftypisom" + strings.Repeat("\x00", 500)),
		"/large.wav":    append(append([]byte(nil), wav...), make([]byte, 300_000)...),
		"/long.mp3":     encode(t, wavOf(make([]byte, 2*8000*60), 8000, 1), "long.mp3", "-b:a", "8k"),
		"/header.wav":   wav[:44],
		"/cut.wav":      wav[:len(wav)/2],
		"/lying.wav":    lying,
	}
	at := fileServer(t, files)
	for path, code := range map[string]int{
		"/empty.wav": 415, "/text.mp3": 415, "/playlist.wav": 415, "/concat.wav": 415, "/zip.wav": 415, "/bomb.gz": 415,
		"/damaged.flac": 422, "/headless.mp4": 422, "/large.wav": 413, "/long.mp3": 413, "/nothing": 422, "/500": 502,
		"/header.wav": 422, "/cut.wav": 0, "/lying.wav": 0,
	} {
		t.Run(path[1:], func(t *testing.T) {
			id := r.createJob(`{"audio_url":"` + at + path + `"}`)
			job := r.awaitJob(id)
			if code == 0 {
				if job.Status != messages.StatusDone || *job.File.Source != at+path || job.File.ID != id {
					t.Errorf("job %+v, file %+v", job, job.File)
				}
			} else if job.Status != messages.StatusError || job.ErrorCode == nil || *job.ErrorCode != code ||
				string(job.Result) != "null" ||
				job.File == nil || *job.File.Source != at+path {
				t.Errorf("job %+v", job)
			} else if job.PostSessionMetadata["error_message"] == nil {
				t.Error("the failure is not reported")
			}
			if a := r.do("DELETE", "/v2/pre-recorded/"+id, ""); a.status != 202 {
				t.Errorf("delete: %d", a.status)
			}
			if left := r.uploadFiles(); len(left) > 0 {
				t.Errorf("left on disk: %q", left)
			}
		})
	}
}

// stoppedInJob returns a test server with one worker that works on a job, whose finals wait for the
// gate.
func stoppedInJob(t *testing.T, change func(*Config)) (r *testServer, id string, gate chan struct{}) {
	t.Helper()
	r = recordedServer(t, func(c *Config) {
		c.Jobs.Workers = 1
		if change != nil {
			change(c)
		}
	})
	g := newGatedRecognizer()
	r.engines.asr = g
	r.restart()
	id = r.createJob(`{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(6, 1), 16000, 1)).AudioURL + `"}`)
	waitUntil(t, "a worker has the job in hand", func() bool {
		job := r.recordedJob(id)
		if job.CompletedAt != nil {
			t.Fatalf("the job has ended: %+v", job)
		}
		return job.Status == messages.StatusProcessing
	})
	return r, id, g.gate
}

// A worker that is stopped returns its job to the queue as if it had not started, and after the
// restart the job is done.
func TestStopDuringTranscription(t *testing.T) {
	for name, stop := range map[string]func(r *testServer){
		"close": func(*testServer) {},
		"drain": func(r *testServer) { r.server.Drain(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			r, id, gate := stoppedInJob(t, nil)
			stop(r)
			r.stop()
			records, err := embedded.Open(t.Context(), r.dir)
			if err != nil {
				t.Fatal(err)
			}
			lease, ok, err := records.LeaseJob(t.Context(), "test", time.Minute, store.Want{})
			if err != nil || !ok || lease.Record.ID != id || lease.Attempt != 1 {
				t.Errorf("lease %+v, %v, %v", lease, ok, err)
			}
			if err := records.Close(); err != nil {
				t.Fatal(err)
			}
			close(gate)
			r.start()
			r.awaitResult(id)
		})
	}
}

// leaseLosingStore is a store in which each lease is lost at its first extension, and that counts
// attempts to finish the job. asked counts the leases with an attempt left, as a slow machine also
// asks to extend the one that finishes the job.
type leaseLosingStore struct {
	*embedded.Store
	asked, finished atomic.Int64
}

func (j *leaseLosingStore) ExtendJob(_ context.Context, l store.Lease, _ time.Duration) error {
	if !l.Exhausted() {
		j.asked.Add(1)
	}
	return store.ErrLost
}

func (j *leaseLosingStore) FinishJob(ctx context.Context, l store.Lease, o store.Outcome, d ...store.Delivery) error {
	j.finished.Add(1)
	return j.Store.FinishJob(ctx, l, o, d...)
}

// A worker whose lease was lost stops working on the job and does not end it.
func TestLostLease(t *testing.T) {
	r, id, gate := stoppedInJob(t, nil)
	defer close(gate)
	r.stop()
	var err error
	if r.store, err = embedded.Open(t.Context(), r.dir); err != nil {
		t.Fatal(err)
	}
	j := &leaseLosingStore{Store: r.store}
	cfg := Config{Keys: []Key{{Text: testKey}}, Jobs: jobs.Config{Workers: 1},
		Limits: limits.Limits{Lease: 30 * time.Millisecond}}
	if r.server, err = New(cfg, Deps{Store: j, Engines: r.engines, Media: r.media, Log: r.log}); err != nil {
		t.Fatal(err)
	}
	r.http = httptest.NewServer(r.server.handler)
	// Two attempts end with their leases; the third one fails the job.
	job := r.awaitJob(id)
	if *job.ErrorCode != 500 || j.asked.Load() != 2 || j.finished.Load() != 1 {
		t.Errorf("code %d, %d leases lost, %d ends", *job.ErrorCode, j.asked.Load(), j.finished.Load())
	}
}

// An attempt that exceeds its time limit fails.
func TestSlowJob(t *testing.T) {
	r, id, gate := stoppedInJob(t, func(c *Config) { c.Limits.RecordedWork = 200 * time.Millisecond })
	defer close(gate)
	if job := r.awaitJob(id); job.ErrorCode == nil || *job.ErrorCode != 504 {
		t.Errorf("job %+v", job)
	}
}

// queuedJob returns the record of a job that no worker has started.
func queuedJob(request *messages.PreRecordedRequest, upload string) (store.Record, error) {
	record, err := admission.NewRecord(DefaultAccount, admission.PreRecorded(request), nil)
	record.Upload = upload
	return record, err
}

// A job whose workers died twice is failed, and its callback reports it.
func TestExhaustedJob(t *testing.T) {
	hook := newReceiver(t)
	r := recordedServer(t, nil)
	decoder := r.media
	r.media = nil // no workers
	body := `{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(1, 1), 16000, 1)).AudioURL + `","callback_url":"` +
		hook.url + `"}`
	upload := strings.TrimSuffix(body[strings.LastIndex(body, "/file/")+6:][:36], `"`)
	r.restart()
	request, fault := messages.ParsePreRecorded([]byte(body))
	if fault != nil {
		t.Fatal(fault)
	}
	record, err := queuedJob(request, upload)
	if err == nil {
		err = r.store.Create(t.Context(), record)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range store.MaxAttempts {
		if _, ok, err := r.store.LeaseJob(t.Context(), "dead", time.Millisecond, store.Want{}); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := r.store.WaitJob(t.Context(), store.Want{}); err != nil { // for the end of that lease
			t.Fatal(err)
		}
	}
	r.media = decoder
	r.restart()
	if job := r.awaitJob(record.ID); job.ErrorCode == nil || *job.ErrorCode != 500 {
		t.Errorf("job %+v", job)
	}
	if sent := hook.await(t, messages.EventError); len(sent) != 1 || sent[0].ID != record.ID {
		t.Errorf("sent %+v", sent)
	}
}

// Fetched audio is not fetched again by the next attempt, even if the first died before it could
// record that.
func TestFetchedOnce(t *testing.T) {
	r := recordedServer(t, nil)
	var asked atomic.Int64
	wav := wavOf(speech(1, 1), 16000, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write(wav) // the test sees what comes of it
	}))
	defer server.Close()
	decoder := r.media
	r.media = nil
	r.restart()
	request, fault := messages.ParsePreRecorded([]byte(`{"audio_url":"` + server.URL + `/a.wav"}`))
	if fault != nil {
		t.Fatal(fault)
	}
	record, err := queuedJob(request, "")
	if err == nil {
		err = r.store.Create(t.Context(), record)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.server.uploads.Media = decoder // the dead worker's
	if _, err := r.server.uploads.Fetch(t.Context(), uploads.Owner{Account: DefaultAccount}, record.ID,
		request.AudioURL, (*media.Decoder).Probe); err != nil {
		t.Fatal(err)
	}
	r.media = decoder
	r.restart()
	r.awaitResult(record.ID)
	if asked.Load() != 1 {
		t.Errorf("fetched %d times", asked.Load())
	}
}

// An engine that stays away fails the job; the record keeps what is known of the file.
func TestEngineAway(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.EngineGrace = 10 * time.Millisecond }, func(r *testServer) {
		r.engines.asr = noEngine{}
	})
	id := r.createJob(`{"audio_url":"` + r.uploadFile("a.wav", wavOf(speech(6, 1), 16000, 1)).AudioURL + `"}`)
	job := r.awaitJob(id)
	if job.ErrorCode == nil || *job.ErrorCode != 503 || *job.File.Filename != "a.wav" || *job.File.AudioDuration != 6 {
		t.Errorf("job %+v", job)
	}
}

// staleLeaseStore is a store with an attempt that has lost its lease on the first job fetched, and
// still stores what it fetches.
type staleLeaseStore struct {
	store.Store
	stale    store.UploadWriter // of that attempt; guarded by the queue, which leases the job to one attempt at a time
	returned atomic.Int64
}

func (o *staleLeaseStore) LeaseJob(ctx context.Context, node string, ttl time.Duration, w store.Want) (store.Lease,
	bool, error) {
	l, ok, err := o.Store.LeaseJob(ctx, node, ttl, w)
	if ok && w.Fetch && o.stale == nil {
		o.stale, err = o.Store.NewUpload(ctx, l.Record.ID)
	}
	return l, ok, err
}

func (o *staleLeaseStore) GiveBackJob(ctx context.Context, l store.Lease) error {
	o.returned.Add(1)
	if err := o.stale.Discard(); err != nil { // the attempt has learned that it lost its lease
		return err
	}
	return o.Store.GiveBackJob(ctx, l)
}

// A job that is fetched again, because its lease was lost, does not fail while the attempt before
// still runs.
func TestFetchOvertakesAnother(t *testing.T) {
	r := recordedServer(t, nil)
	at := fileServer(t, map[string][]byte{"/a.wav": wavOf(speech(1, 1), 16000, 1)})
	r.stop()
	var err error
	if r.store, err = embedded.Open(t.Context(), r.dir); err != nil {
		t.Fatal(err)
	}
	o := &staleLeaseStore{Store: r.store}
	cfg := Config{Keys: []Key{{Text: testKey}}, Jobs: jobs.Config{Workers: 1}}
	if r.server, err = New(cfg, Deps{Store: o, Engines: r.engines, Media: r.media, Outbound: r.outbound,
		Log: r.log}); err != nil {
		t.Fatal(err)
	}
	r.http = httptest.NewServer(r.server.handler)
	job := r.awaitJob(r.createJob(`{"audio_url":"` + at + `/a.wav"}`))
	if job.Status != messages.StatusDone || o.returned.Load() != 1 {
		t.Errorf("%s, given back %d times: %v", job.Status, o.returned.Load(), job.PostSessionMetadata)
	}
}
