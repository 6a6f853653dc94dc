package gateway

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"steno/messages"
)

// playDisturbed streams a recording over connections that break, stops it, and stays until the
// server closes with 1000. With restarts it restarts the gateway from time to time.
func playDisturbed(t *testing.T, r *testServer, body string, sound []byte, seed uint64, restarts bool) (string,
	*caller) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 5))
	id, url := r.create(body)
	c := call(t, url)
	const cuts = 8
	sent, stopped := 0, false
	for cut := 0; ; cut++ {
		if cut < cuts {
			c.breakAfter(500+random.Int64N(int64(len(sound)/3)), 500+random.Int64N(6000))
		} else {
			c.dial = nil
		}
		if restarts && cut%3 == 2 {
			r.restart()
			c.url = r.http.URL + "/v2/live?" + afterQuestion(url)
		}
		if c.connect() == nil {
			sent, stopped = c.playOn(random, sound, sent, stopped)
		}
		if c.conn == nil {
			continue
		}
		if stopped && c.end() == 1000 {
			return id, c
		}
		c.hangUp()
		if cut > 100 {
			t.Fatal("the session does not end")
		}
	}
}

func afterQuestion(url string) string {
	_, query, _ := bytes.Cut([]byte(url), []byte("?"))
	return string(query)
}

// playOn sends the rest, as long as the connection holds.
func (c *caller) playOn(random *rand.Rand, sound []byte, sent int, stopped bool) (int, bool) {
	for sent < len(sound) {
		n := min(1+random.IntN(6000), len(sound)-sent)
		sent += n // what could not be sent is kept and sent again
		if c.send(sound[sent-n:sent]) != nil {
			return sent, stopped
		}
	}
	return sent, c.stop() == nil || stopped
}

// TestBrokenConnections: whatever happens to the connections, the recording is complete, every
// final is logged once with the words of an undisturbed run, and events that the socket shows twice
// are equal.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	for _, restarts := range []bool{false, true} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("restarts=%v/%d", restarts, seed), func(t *testing.T) {
				r := newTestServer(t, nil)
				sound := speech(8, seed)
				calm, _ := play(t, r, everyMessage, sound)
				id, c := playDisturbed(t, r, everyMessage, sound, seed, restarts)
				if got := r.recording(id); !bytes.Equal(got, sound) {
					t.Fatalf("the file has %d bytes and is not the %d that were meant", len(got), len(sound))
				}
				compareRuns(t, r.result(calm), r.result(id))
				checkRepeats(t, r.result(id), c.all())
			})
		}
	}
}

func compareRuns(t *testing.T, calm, disturbed messages.LiveResult) {
	t.Helper()
	if len(calm.Transcription.Utterances) == 0 {
		t.Fatal("nothing was recognized")
	}
	if !reflect.DeepEqual(calm.Transcription, disturbed.Transcription) {
		t.Errorf("transcript\n%s\nwant\n%s", disturbed.Transcription.FullTranscript, calm.Transcription.FullTranscript)
	}
	if a, b := len(calm.Messages), len(disturbed.Messages); a != b {
		t.Errorf("%d messages in the log, %d in the undisturbed run's", b, a)
	}
}

// checkRepeats compares the socket's events with the log.
func checkRepeats(t *testing.T, result messages.LiveResult, shown []frame) {
	t.Helper()
	times := map[string]int{}
	for _, f := range shown {
		times[f.text]++
	}
	ids := map[string]bool{}
	for _, m := range result.Messages {
		f := parseFrame(t, m)
		if f.Type != "start_session" && times[m] == 0 {
			t.Errorf("never shown: %.150s", m)
		}
		if id := f.final(); id != "" && ids[id] {
			t.Errorf("two finals of %s", id)
		} else if id != "" {
			ids[id] = true
		}
	}
	for _, f := range shown {
		if id := f.final(); id != "" && !contains(result.Messages, f.text) {
			t.Errorf("shown, but not in the log: %.150s", f.text)
		}
	}
}

func contains(list []string, text string) bool {
	for _, l := range list {
		if l == text {
			return true
		}
	}
	return false
}
