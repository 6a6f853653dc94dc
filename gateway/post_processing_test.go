package gateway

import (
	"bytes"
	"context"
	"mime/multipart"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/store"
	"steno/session/store/embedded"
)

// nameConsistency returns a provider for that add-on only, which needs a server.
func nameConsistency(within time.Duration, does func(context.Context) (string, error)) addontest.Providers {
	return addontest.Providers{
		Names:  func(ctx context.Context, _ []messages.Utterance) (string, error) { return does(ctx) },
		Runner: addon.Runner{PostProcessing: within},
	}
}

// hang blocks until its context is done.
func hang(ctx context.Context) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// jobBubble is a bubble with an upload to transcribe. Its time does not pass while the server
// works.
type jobBubble struct {
	*bubble
	upload string // address of a recording
}

// inJobBubble runs a test in a jobBubble with add-on providers, and with the store that front
// returns.
func inJobBubble(t *testing.T, c Config, providers addontest.Providers, front func(*embedded.Store) store.Store,
	test func(t *testing.T, w jobBubble)) {
	decoder := newDecoder(t)
	inBubble(t, func(t *testing.T, w *bubble) {
		synctest.Wait() // until it serves
		w.stop()
		w.config, w.change = c, func(d *Deps) {
			d.Media, d.Addons = decoder, providers.Table()
			if front != nil {
				d.Store = front(w.store)
			}
		}
		w.start()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("audio", "a.wav")
		if err == nil {
			_, err = part.Write(wavOf(speech(2, 1), 16000, 1))
		}
		if err == nil {
			err = form.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		var up messages.Upload
		if status := w.post("/v2/upload", &body, int64(body.Len()), form.FormDataContentType(), &up); status != 200 {
			t.Fatalf("upload: %d", status)
		}
		test(t, jobBubble{w, up.AudioURL})
	})
}

// createJob creates a job and returns its id once everything that takes no time is done.
func (w jobBubble) createJob(more string) string {
	w.t.Helper()
	var got messages.Created
	if status := w.do("POST", "/v2/pre-recorded", `{"audio_url":"`+w.upload+`"`+more+`}`, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	w.pass(0)
	return got.ID
}

const named = `,"name_consistency":true`

// pass lets time pass, and a moment more for work that becomes due.
func (w jobBubble) pass(d time.Duration) {
	time.Sleep(d + 100*time.Millisecond)
	synctest.Wait()
}

func (w jobBubble) recordedJob(id string) messages.Job {
	w.t.Helper()
	var job messages.Job
	if status := w.do("GET", "/v2/pre-recorded/"+id, "", &job); status != 200 {
		w.t.Fatalf("job: %d", status)
	}
	return job
}

// checkStatus checks the status of jobs.
func (w jobBubble) checkStatus(status messages.Status, ids ...string) {
	w.t.Helper()
	for i, id := range ids {
		if job := w.recordedJob(id); job.Status != status {
			w.t.Errorf("job %d of %d is %s, want %s: %v", i+1, len(ids), job.Status, status, job.PostSessionMetadata)
		}
	}
}

// checkStages checks the metric of jobs in each stage.
func (w jobBubble) checkStages(transcribing, waiting, addons float64) {
	w.t.Helper()
	families, err := w.server.metrics.Registry.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "steno_recorded_working" {
				got[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
			}
		}
	}
	if got["transcribing"] != transcribing || got["waiting"] != waiting || got["addons"] != addons {
		w.t.Errorf("working: %v, want %v, %v, %v", got, transcribing, waiting, addons)
	}
}

// Jobs whose add-ons hang delay neither workers nor the add-ons of other jobs.
func TestHangingAddonsDelayNoOtherJob(t *testing.T) {
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 2, Addons: 6}}, nameConsistency(2*time.Minute, hang), nil,
		func(t *testing.T, w jobBubble) {
			var hanging []string
			for range 6 {
				hanging = append(hanging, w.createJob(named))
			}
			w.checkStages(0, 0, 6)
			began := time.Now()
			w.checkStatus(messages.StatusDone, w.createJob(""),
				w.createJob(`,"subtitles":true,"summarization":true,"named_entity_recognition":true,"pii_redaction":true`))
			if took := time.Since(began); took > time.Second {
				t.Errorf("plain jobs took %v beside hanging ones", took)
			}
			w.checkStatus(messages.StatusProcessing, hanging...)
			w.pass(2 * time.Minute)
			w.checkStatus(messages.StatusDone, hanging...)
			if job := w.recordedJob(hanging[0]); !strings.Contains(string(job.Result), `"status_code":504`) {
				t.Errorf("result %s", job.Result)
			}
			w.checkStages(0, 0, 0)
		})
}

// A limited number of jobs run their add-ons. Others wait, and the time limits of their add-ons do
// not run meanwhile. When the limit of waiting jobs is reached, workers wait too.
func TestAddonLimit(t *testing.T) {
	slow := func(ctx context.Context) (string, error) {
		select {
		case <-time.After(40 * time.Second):
			return "all of it", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1, Addons: 1, Transcribed: 1, AccountJobs: 3}},
		nameConsistency(time.Minute, slow), nil, func(t *testing.T, w jobBubble) {
			first, second, third := w.createJob(named), w.createJob(named), w.createJob(named)
			w.checkStages(0, 2, 1) // the third still with its worker
			plain := w.createJob("")
			w.checkStatus(messages.StatusProcessing, first, second, third)
			w.checkStatus(messages.StatusQueued, plain)
			w.pass(40 * time.Second)
			w.checkStatus(messages.StatusDone, first, plain)
			w.checkStatus(messages.StatusProcessing, second, third)
			w.checkStages(0, 1, 1)
			w.pass(40 * time.Second)
			w.checkStatus(messages.StatusDone, second)
			w.pass(40 * time.Second)
			w.checkStatus(messages.StatusDone, third)
			for _, id := range []string{first, second, third} {
				if job := w.recordedJob(id); !strings.Contains(string(job.Result), "all of it") {
					t.Errorf("result %s", job.Result)
				}
			}
		})
}

// A server that stops returns the jobs in the second stage, or waiting for it, to the queue. Their
// attempts do not count.
func TestStopDuringAddons(t *testing.T) {
	var hangs atomic.Bool
	hangs.Store(true)
	providers := nameConsistency(time.Hour, func(ctx context.Context) (string, error) {
		if hangs.Load() {
			return hang(ctx)
		}
		return "all of it", nil
	})
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1, Addons: 1, Transcribed: 1, AccountJobs: 3}}, providers, nil,
		func(t *testing.T, w jobBubble) {
			ids := []string{w.createJob(named), w.createJob(named), w.createJob(named)}
			w.checkStages(0, 2, 1)
			began := time.Now()
			w.server.Drain(t.Context())
			w.stop()
			if took := time.Since(began); took > time.Minute {
				t.Errorf("stopped after %v", took)
			}
			records, err := embedded.Open(t.Context(), w.dir)
			if err != nil {
				t.Fatal(err)
			}
			var leases []store.Lease
			for range ids {
				lease, ok, err := records.LeaseJob(t.Context(), "test", time.Minute, store.Want{})
				if err != nil || !ok || lease.Attempt != 1 {
					t.Errorf("lease %+v, %v, %v", lease, ok, err)
				}
				leases = append(leases, lease)
			}
			for _, lease := range leases {
				if err := records.GiveBackJob(t.Context(), lease); err != nil {
					t.Error(err)
				}
			}
			if err := records.Close(); err != nil {
				t.Fatal(err)
			}
			hangs.Store(false)
			w.start()
			w.pass(0)
			w.checkStatus(messages.StatusDone, ids...)
		})
}

// The add-ons of a job whose lease was lost are cancelled, and do not end the job.
func TestLostLeaseOfAddons(t *testing.T) {
	var j *leaseLosingStore
	var begun, gone atomic.Int64
	providers := nameConsistency(time.Hour, func(ctx context.Context) (string, error) {
		begun.Add(1)
		defer gone.Add(1)
		return hang(ctx)
	})
	front := func(s *embedded.Store) store.Store { j = &leaseLosingStore{Store: s}; return j }
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1}}, providers, front, func(t *testing.T, w jobBubble) {
		id := w.createJob(named)
		w.pass(5 * time.Minute) // two attempts end by their leases; the third taker ends the job
		job := w.recordedJob(id)
		if job.ErrorCode == nil || *job.ErrorCode != 500 || j.asked.Load() != 2 || j.finished.Load() != 1 ||
			begun.Load() != 2 || gone.Load() != 2 {
			t.Errorf("job %+v, %d leases lost, %d ends, %d begun, %d gone", job, j.asked.Load(), j.finished.Load(),
				begun.Load(), gone.Load())
		}
	})
}

// One time limit covers both stages, including waiting.
func TestSlowAddons(t *testing.T) {
	c := Config{Jobs: jobs.Config{Workers: 1, Addons: 1, Transcribed: 1, AccountJobs: 3},
		Limits: limits.Limits{RecordedWork: time.Minute}}
	inJobBubble(t, c, nameConsistency(time.Hour, hang), nil, func(t *testing.T, w jobBubble) {
		ids := []string{w.createJob(named), w.createJob(named), w.createJob(named)}
		w.pass(time.Minute)
		w.checkStatus(messages.StatusError, ids...)
		for _, id := range ids {
			if job := w.recordedJob(id); job.ErrorCode == nil || *job.ErrorCode != 504 {
				t.Errorf("job %+v", job)
			}
		}
		w.checkStages(0, 0, 0)
	})
}
