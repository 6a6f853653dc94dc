package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
)

// open makes a session in the bubble.
func (w *bubble) open(body string) (id, url string) {
	w.t.Helper()
	var got struct{ ID, URL string }
	if status := w.do("POST", "/v2/live", body, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	return got.ID, got.URL
}

// file returns the audio of the job's file, without its header.
func (w *bubble) file(id string) []byte {
	w.t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: w.net.Dial, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(w.t.Context(), "GET", "http://steno/v2/live/"+id+"/file", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("x-service-key", testKey)
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil || len(all) < 44 {
		w.t.Fatalf("file of %d bytes: %v", len(all), err)
	}
	return all[44:]
}

// utterances returns the job's transcript.
func (w *bubble) utterances(id string) []messages.Utterance {
	w.t.Helper()
	var result messages.LiveResult
	if err := json.Unmarshal(w.job(id).Result, &result); err != nil {
		w.t.Fatal(err)
	}
	return result.Transcription.Utterances
}

// finals returns the number of utterances with a final; unconfirmed finals are sent again on the
// next socket.
func finals(c *caller) int {
	ids := map[string]bool{}
	for _, f := range c.all() {
		if id := f.final(); id != "" {
			ids[id] = true
		}
	}
	return len(ids)
}

const pausing = `{"endpointing":0.5,"maximum_duration_without_endpointing":60,"silence_after":1.5}`

// word returns half a second of silence and a second of speech.
func word(seed uint64) []byte { return speech(3, seed)[:48000] }

// A client that sends nothing in its pauses gets each final one silence_after later; exactly its
// audio is recorded and acknowledged.
func TestPausesEndWhatIsSaid(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.open(pausing)
		c := w.call(url)
		var sent []byte
		for i := range 3 {
			sound := word(uint64(i))
			sent = append(sent, sound...)
			if err := c.send(sound); err != nil {
				t.Fatal(err)
			}
			time.Sleep(1400 * time.Millisecond)
			if err := c.text(`{"type":"audio_chunk","data":{"chunk":""}}`); err != nil { // a keep-alive is no audio
				t.Fatal(err)
			}
			synctest.Wait()
			if n := finals(c); n != i {
				t.Errorf("%d finals before the pause is long enough, want %d", n, i)
			}
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
			if n := finals(c); n != i+1 {
				t.Errorf("%d finals after the pause, want %d", n, i+1)
			}
			time.Sleep(20 * time.Second)
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		c.end()
		if got := finals(c); got != 3 {
			t.Errorf("%d finals", got)
		}
		if !bytes.Equal(w.file(id), sent) || c.acked != int64(len(sent)) {
			t.Errorf("sent %d bytes, %d in the file, %d acknowledged", len(sent), len(w.file(id)), c.acked)
		}
		for i, u := range w.utterances(id) {
			if from := 1.5 * float64(i); u.Start < from || u.End > from+1.5 {
				t.Errorf("utterance %d from %.3f to %.3f, sent from %.1f", i, u.Start, u.End, from)
			}
		}
	})
}

// Without the field a pause has no effect.
func TestPausesMeanNothingUnasked(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		_, url := w.open(`{"endpointing":0.5,"maximum_duration_without_endpointing":60}`)
		c := w.call(url)
		if err := c.send(word(1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := finals(c); n != 0 {
			t.Errorf("%d finals", n)
		}
	})
}

// The transcript is the same if sockets and processes are replaced. Without a socket, time does not
// count as a pause.
func TestPausesSurvive(t *testing.T) {
	transcript := func(broken bool) string {
		var text string
		inBubble(t, func(t *testing.T, w *bubble) {
			id, url := w.open(pausing)
			c := w.call(url)
			reopen := func() {
				if broken {
					c.hangUp()
					w.stop()
					w.start()
					time.Sleep(10 * time.Second)
					c.mustConnectTo(w)
				}
			}
			for i := range 4 {
				before := finals(c)
				if err := c.send(word(uint64(i))); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if i%2 == 0 {
					reopen() // within the pause
				}
				if n := finals(c); n != before {
					t.Errorf("%d finals before the pause, then %d", before, n)
				}
				time.Sleep(1600 * time.Millisecond)
				synctest.Wait()
				if n := finals(c); n == before {
					t.Errorf("no final after pause %d", i)
				}
				if i%2 == 1 {
					reopen() // after it
				}
			}
			if err := c.stop(); err != nil {
				t.Fatal(err)
			}
			c.end()
			text = fmt.Sprint(w.utterances(id))
		})
		return text
	}
	if whole, broken := transcript(false), transcript(true); whole != broken || len(whole) < 100 {
		t.Errorf("got  %s\nwant %s", broken, whole)
	}
}

func TestSilenceAfterIsChecked(t *testing.T) {
	r := newTestServer(t, nil)
	for value, status := range map[string]int{`0.2`: 201, `30`: 201, `null`: 201, `0.19`: 400, `30.5`: 400, `0`: 400,
		`"1"`: 400, `true`: 400} {
		a := r.do("POST", "/v2/live", `{"silence_after":`+value+`}`)
		var body struct {
			Faults []string `json:"validation_errors"`
		}
		if err := json.Unmarshal(a.body, &body); err != nil || a.status != status {
			t.Errorf("%s: %d %s", value, a.status, a.body)
		}
		named := slices.ContainsFunc(body.Faults, func(f string) bool {
			return len(f) > 13 &&
				f[:13] == "silence_after"
		})
		if named != (status == 400) {
			t.Errorf("%s: %s", value, a.body)
		}
	}
	id, _ := r.create(`{"silence_after":2.5}`)
	var params map[string]any
	if err := json.Unmarshal(r.job(id).RequestParams, &params); err != nil || params["silence_after"] != 2.5 {
		t.Errorf("kept %v, %v", params["silence_after"], err)
	}
	id, _ = r.create(`{}`)
	if bytes.Contains(r.job(id).RequestParams, []byte("silence_after")) {
		t.Error("kept though it was not given")
	}
}
