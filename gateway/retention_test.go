package gateway

import (
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/limits"
	"steno/gateway/records"
	"steno/messages"
)

// Finished jobs of both kinds are removed after their retention; unfinished ones stay.
func TestRetention(t *testing.T) {
	c := Config{
		Limits:    limits.Limits{NeverConnected: time.Minute},
		Retention: records.Policy{Default: records.Retention{Records: 30 * time.Minute}},
	}
	inJobBubble(t, c, nameConsistency(24*time.Hour, hang), nil, func(t *testing.T, w jobBubble) {
		done := w.createJob("")
		w.checkStatus(messages.StatusDone, done)
		working := w.createJob(named)
		session, _ := w.create()
		w.pass(2 * time.Minute)
		if job := w.job(session); job.Status != messages.StatusError {
			t.Errorf("session %+v", job)
		}
		w.pass(26 * time.Minute)
		w.checkStatus(messages.StatusDone, done)
		w.pass(8 * time.Minute)
		for _, path := range []string{"/v2/pre-recorded/" + done, "/v2/pre-recorded/" + done + "/file", "/v2/live/" +
			session} {
			if status := w.do("GET", path, "", nil); status != 404 {
				t.Errorf("%s: %d", path, status)
			}
		}
		w.checkStatus(messages.StatusProcessing, working)
		if status := w.do("DELETE", "/v2/pre-recorded/"+working+andCancel, "", nil); status != 202 {
			t.Errorf("cancel: %d", status)
		}
		synctest.Wait()
	})
}
