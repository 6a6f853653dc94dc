package gateway

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"steno/messages"
)

// check compares what the clients of a history sent and saw with what the gateway promises.
func (h *history) check(calm []messages.LiveResult) {
	for i, s := range h.speakers {
		v := view{T: h.t, n: i, speaker: s, log: h.events(s.id), kept: h.audio(s.id), record: h.job(s.id)}
		if err := json.Unmarshal(v.record.Result, &v.result); err != nil || v.record.Status != messages.StatusDone {
			h.t.Errorf("client %d: its record is %s, with %v", i, v.record.Status, err)
			continue
		}
		v.acknowledgedAudioIsKept()
		v.finalsNeverChange()
		v.wordsAreThoseOfTheAudio(calm[i])
		v.nothingIsMissing()
		v.callbacksAreTheLog(h.hooks.arrivals(s.id))
		v.readersHaveTheLog(h.readers[i].got)
	}
	h.roomIsGivenBack()
}

// view is all that is known of one client's session.
type view struct {
	*testing.T
	*speaker
	n      int
	log    []messages.Event
	kept   []byte // the journal
	record messages.Job
	result messages.LiveResult
}

// whole reports whether the session has all that its client said: it came to its end, and its
// client was never away for so long that it may have ended before.
func (v view) whole() bool { return v.complete && !v.late }

// What was acknowledged is in the recording, at its place; and of a session that came to its end,
// everything is.
func (v view) acknowledgedAudioIsKept() {
	if !bytes.HasPrefix(v.sound, v.kept) || int64(len(v.kept)) < v.acked {
		v.Errorf("client %d: %d bytes are kept, %d acknowledged", v.n, len(v.kept), v.acked)
	}
	if v.whole() && len(v.kept) != len(v.sound) {
		v.Errorf("client %d: %d bytes are kept of %d", v.n, len(v.kept), len(v.sound))
	}
}

// A final is what it was when it was first seen, wherever it is seen, and there is one for each
// utterance.
func (v view) finalsNeverChange() {
	logged := map[string]string{}
	for _, e := range v.log {
		f := parseFrame(v, string(e.Body))
		id := f.final()
		if id == "" {
			continue
		}
		if logged[id] != "" {
			v.Errorf("client %d: two finals of %s", v.n, id)
		}
		logged[id] = f.text
	}
	for _, f := range v.all() {
		if id := f.final(); id != "" && logged[id] != f.text {
			v.Errorf("client %d: the final of %s was\n%.200s\nand is\n%.200s", v.n, id, f.text, logged[id])
		}
	}
}

// The transcript is a function of the audio, whatever went wrong meanwhile.
func (v view) wordsAreThoseOfTheAudio(calm messages.LiveResult) {
	got, want := v.result.Transcription.Utterances, calm.Transcription.Utterances
	if v.whole() && !reflect.DeepEqual(got, want) {
		v.Errorf("client %d: its transcript is\n%s\nand without faults\n%s", v.n,
			v.result.Transcription.FullTranscript, calm.Transcription.FullTranscript)
	}
	if cut := max(0, len(got)-1); !v.whole() && (len(got) > len(want) || !reflect.DeepEqual(got[:cut], want[:cut])) {
		v.Errorf("client %d: its first %d utterances differ from those without faults", v.n, cut)
	}
}

// A client that came to the end of its session has seen all that is logged, in its order.
func (v view) nothingIsMissing() {
	if !v.complete {
		if v.refused == "" || v.refused == "the session does not end" {
			v.Errorf("client %d: %q", v.n, v.refused)
		}
		return
	}
	at := map[string]int{}
	for i, f := range v.all() {
		if _, seen := at[f.text]; !seen {
			at[f.text] = i
		}
	}
	last := -1
	for _, e := range v.log {
		i, seen := at[string(e.Body)]
		switch {
		case e.Kind == messages.KindStartSession:
		case !seen:
			v.Errorf("client %d: never shown: %.150s", v.n, e.Body)
		case i < last:
			v.Errorf("client %d: shown too early: %.150s", v.n, e.Body)
		default:
			last = i
		}
	}
}

// Callbacks are the messages of the log, each with an id of its own and in their order, except that
// one may come again.
func (v view) callbacksAreTheLog(got []arrival) {
	bodies := map[string]string{}
	var first []string
	for _, a := range got {
		var c callback
		if err := json.Unmarshal([]byte(a.body), &c); err != nil {
			v.Errorf("client %d: callback %q", v.n, a.body)
		}
		if before, again := bodies[a.id]; !again {
			bodies[a.id] = a.body
			first = append(first, string(c.Payload))
		} else if before != a.body {
			v.Errorf("client %d: callback %s is\n%.200s\nand was\n%.200s", v.n, a.id, a.body, before)
		}
	}
	v.isTheLog("callbacks", first)
}

// Readers have the messages of the log, each once and in their order.
func (v view) readersHaveTheLog(got []string) { v.isTheLog("reader", got) }

func (v view) isTheLog(what string, got []string) {
	var want []string
	for _, e := range v.log {
		want = append(want, string(e.Body))
	}
	if slices.Equal(got, want) {
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			v.Errorf("client %d: %s: %d messages, the log has %d; number %d differs", v.n, what, len(got), len(want), i)
			return
		}
	}
}

// Soon after its end a session holds nothing: others have its place.
func (h *history) roomIsGivenBack() {
	time.Sleep(5 * time.Second)
	for i := range historyClients {
		var made struct{ ID string }
		if status := h.do("POST", "/v2/live", `{}`, &made); status != 201 {
			h.t.Errorf("session %d after the others: %d", i, status)
		}
	}
}
