package endtoend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"testing"
	"time"
)

// recordedClient has a recording transcribed, with a callback at the end.
type recordedClient struct {
	g     *gateway
	hooks *hooks
	wav   string // path
}

// run uploads the recording, waits for the end of its job and returns the transcript.
func (c recordedClient) run(ctx context.Context) (string, error) {
	var upload struct {
		URL string `json:"audio_url"`
	}
	if err := c.upload(ctx, &upload); err != nil {
		return "", err
	}
	var job struct {
		ID     string
		Status string
		Result struct {
			Transcription struct {
				Text string `json:"full_transcript"`
			}
		}
	}
	request := fmt.Sprintf(`{"audio_url":%q,"callback":true,"callback_config":{"url":%q}}`, upload.URL, c.hooks.url)
	if err := c.g.call(ctx, http.MethodPost, "/v2/pre-recorded", request, &job); err != nil {
		return "", err
	}
	c.hooks.expectRecorded(job.ID)
	for job.Status != "done" {
		if err := c.g.call(ctx, http.MethodGet, "/v2/pre-recorded/"+job.ID, "", &job); err != nil {
			return "", err
		}
		if job.Status == "error" {
			return "", fmt.Errorf("job %s failed", job.ID)
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("job %s is %s: %w", job.ID, job.Status, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
	return job.Result.Transcription.Text, nil
}

// upload hands in the recording, again while no gateway takes it.
func (c recordedClient) upload(ctx context.Context, into any) error {
	sound, err := os.ReadFile(c.wav)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("audio", "clip.wav")
	if err != nil {
		return err
	}
	_, _ = part.Write(sound) // a buffer
	_ = form.Close()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.g.url()+"/v2/upload",
			bytes.NewReader(body.Bytes()))
		if err != nil {
			return err
		}
		req.Header.Set("x-service-key", testKey)
		req.Header.Set("Content-Type", form.FormDataContentType())
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			err = json.NewDecoder(resp.Body).Decode(into)
			resp.Body.Close()
			if err == nil && resp.StatusCode/100 == 2 {
				return nil
			}
			if err == nil && resp.StatusCode != http.StatusServiceUnavailable {
				return fmt.Errorf("upload: %s", resp.Status)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// expectRecorded knows the job of a recording, which has one callback.
func (h *hooks) expectRecorded(id string) {
	h.expect(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recordings[id] = true
}

// recorded tells whether a job is that of a recording.
func (h *hooks) recorded(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.recordings[id]
}

// checkOutcome waits until the receiver has taken the one callback of a recording's job.
func (h *hooks) checkOutcome(ctx context.Context, t *testing.T, job string) {
	t.Helper()
	for {
		h.mu.Lock()
		d := h.by[job]
		n, accepted := 0, false
		if d != nil {
			n, accepted = len(d.ids), d.accepted
		}
		h.mu.Unlock()
		if n > 1 {
			t.Errorf("job %s has %d callbacks", job, n)
		}
		if accepted || n > 1 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the callback of job %s has not come", job)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
