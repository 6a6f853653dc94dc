package gateway

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"steno/audio/media"
	"steno/messages"
	"steno/session/store/embedded/embeddedtest"
)

// heldDecoder returns a decoder whose trial lasts until end is called with the result.
func heldDecoder(t *testing.T) (d *media.Decoder, end func(works bool)) {
	t.Helper()
	dir := embeddedtest.Folder(t)
	codes, sandbox := filepath.Join(dir, "codes"), filepath.Join(dir, "sandbox")
	if err := syscall.Mkfifo(codes, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nread code <" + codes + "\nexit $code\n"
	if err := os.WriteFile(sandbox, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := media.Begin(t.Context(), media.Config{Sandbox: media.Bubblewrap, Bubblewrap: sandbox})
	if err != nil {
		t.Skip(err)
	}
	// waits until the script reads: a process that is only forked holds the lock of a store
	pipe, err := os.OpenFile(codes, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pipe.Close() })
	return d, func(works bool) {
		t.Helper()
		text := "1\n"
		if works {
			text = "0\n0\n" // for each of two programs
		}
		if _, err := pipe.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
}

// uploadOf reads the answer to an upload.
func uploadOf(t *testing.T, a answer) (u messages.Upload) {
	t.Helper()
	if err := json.Unmarshal(a.body, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// TestServesWhileTheDecoderIsTried accepts live sessions while the decoder's sandbox is being
// tried. The gateway is not ready, and recorded files wait for the result.
func TestServesWhileTheDecoderIsTried(t *testing.T) {
	for name, works := range map[string]bool{"works": true, "does not work": false} {
		t.Run(name, func(t *testing.T) {
			r := newTestServer(t, nil)
			held, end := heldDecoder(t)
			r.media = held
			r.restart()
			if a := r.do("GET", "/readyz", ""); a.status != http.StatusServiceUnavailable ||
				!strings.Contains(string(a.body), "decoder") {
				t.Errorf("ready: %d %s", a.status, a.body)
			}
			if a := r.do("POST", "/v2/live", "{}"); a.status != http.StatusCreated {
				t.Errorf("live: %d %s", a.status, a.body)
			}
			answers := make(chan answer)
			go func() {
				answers <- r.send("/v2/upload", filled{filename: "a.wav", content: wavOf(speech(2, 1), 16000, 1)})
			}()
			end(works)
			a := <-answers
			switch {
			case works && a.status != http.StatusOK:
				t.Errorf("upload: %d %s", a.status, a.body)
			case works:
				if job := r.awaitJob(r.createJob(`{"audio_url":"` + uploadOf(t, a).AudioURL + `"}`)); job.Status !=
					messages.StatusDone {
					t.Errorf("job %+v", job)
				}
			case a.status != http.StatusNotImplemented || !strings.Contains(string(a.body), "no sandbox works"):
				t.Errorf("upload: %d %s", a.status, a.body)
			}
			waitUntil(t, "the gateway is ready", func() bool {
				return r.do("GET", "/readyz", "").status ==
					http.StatusOK
			})
		})
	}
}
