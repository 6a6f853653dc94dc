package gateway

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"steno/gateway/callbacks"
	"steno/gateway/overview"
	"steno/gateway/transcripts"
	"steno/gateway/waveform"
	"steno/messages"
	"steno/session/store"
)

// get requests a path and decodes the JSON of the answer.
func get[T any](r *testServer, path string) (got T) {
	r.t.Helper()
	a := r.do("GET", strings.TrimPrefix(path, r.http.URL), "")
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusOK {
		r.t.Fatalf("%s: %d %v %.300s", path, a.status, err, a.body)
	}
	return got
}

// said makes the finished record of a live session with the utterances, the nth of which starts at
// 2n s.
func (r *testServer) said(title string, utterances ...string) (id string) {
	r.t.Helper()
	result := messages.LiveResult{Metadata: messages.Metadata{AudioDuration: float64(2 * len(utterances)),
		NumberOfDistinctChannels: 1}}
	result.Transcription.Languages = []string{"en"}
	for i, text := range utterances {
		start, speaker := float64(2*i), i/2%2
		u := messages.Utterance{Start: start, End: start + 1.5, Text: " " + text, Language: "en", Speaker: &speaker}
		u.Words = u.TimedWords()
		result.Transcription.Utterances = append(result.Transcription.Utterances, u)
	}
	result.NamedEntityRecognition = &messages.AddonResult[messages.List[messages.Entity]]{Success: true,
		Results: messages.List[messages.Entity]{
			{EntityType: "LOCATION", Text: "harbour", Start: 2, End: 2.75},
		}}
	result.SentimentAnalysis = &messages.AddonResult[string]{Success: true, Results: `[
		{"sentiment":"neutral","emotion":"neutral","text":"a","start":0,"end":1,"channel":0},
		{"sentiment":"negative","emotion":"frustrated","text":"b","start":2,"end":3,"channel":0}]`}
	text, err := json.Marshal(result)
	if err != nil {
		r.t.Fatal(err)
	}
	at := time.Now().UTC().Truncate(time.Millisecond)
	seconds := result.Metadata.AudioDuration
	record := store.Record{
		ID: uuid.NewString(), Account: DefaultAccount, Kind: messages.JobLive, Status: messages.StatusDone,
		Version:   messages.Version,
		CreatedAt: at, CompletedAt: &at, Params: json.RawMessage(`{"encoding":"wav/pcm"}`), Result: text,
		Seconds: &seconds, Channels: 1,
		CustomMetadata: json.RawMessage(fmt.Sprintf(`{"title":%q}`, title)),
	}
	if err := r.store.Create(r.t.Context(), record); err != nil {
		r.t.Fatal(err)
	}
	return record.ID
}

// A record is read in parts: its outline, the words a page at a time, the places that contain a
// text, and as files.
func TestReading(t *testing.T) {
	r := newTestServer(t, nil)
	id := r.said("Morning briefing", "Good morning.", "Harbour office here.", "The BRIDGE is shut.",
		"Until the nineteenth.", "Which bridge?")
	path := "/v2/live/" + id
	o := get[transcripts.Outline](r, path+"/outline")
	if o.Title != "Morning briefing" || len(o.Times.Start) != 5 || o.Times.Start[3] != 6 || o.Times.Speaker[2] != 1 ||
		o.Times.Characters[0] != 14 ||
		o.Job.ID != id || o.SentimentCounts["neutral"] != 1 || len(o.Sentiments) != 1 || o.Sentiments[0].Utterance !=
		1 || o.Entities[0].Utterance != 1 {
		t.Errorf("outline: %+v", o)
	}
	page := get[transcripts.UtterancePage](r, path+"/utterances?offset=1&limit=2")
	if u := page.Items[0]; page.Total != 5 || len(page.Items) != 2 || u.Number != 1 || len(u.Utterance.Words) != 3 ||
		len(u.Entities) != 1 || u.Sentiments[0].Emotion != "frustrated" {
		t.Errorf("page: %+v", page)
	}
	found := get[transcripts.UtterancePage](r, path+"/utterances?text=bridge&words=false")
	if found.Total != 2 || found.Items[0].Number != 2 || found.Items[1].Number != 4 ||
		len(found.Items[0].Utterance.Words) != 0 {
		t.Errorf("found: %+v", found)
	}
	text := r.do("GET", path+"/transcript", "")
	want := "Speaker 1, 0:00\nGood morning. Harbour office here.\n\nSpeaker 2, 0:04\nThe BRIDGE is shut. Until the nineteenth.\n\nSpeaker 1, 0:08\nWhich bridge?\n"
	if string(text.body) != want || !strings.Contains(text.header.Get("Content-Disposition"), id+".txt") {
		t.Errorf("%v\n%s", text.header, text.body)
	}
	if srt := r.do("GET", path+"/transcript?format=srt", ""); !strings.HasPrefix(string(srt.body),
		"1\n00:00:00,000 --> ") {
		t.Errorf("subtitles: %.80s", srt.body)
	}
	if vtt := r.do("GET", path+"/transcript?format=vtt", ""); !strings.HasPrefix(string(vtt.body), "WEBVTT") {
		t.Errorf("subtitles: %.80s", vtt.body)
	}
	if a := r.do("GET", path+"/transcript?language=fr", ""); a.status != 404 {
		t.Errorf("a translation that there is not: %d", a.status)
	}
	if a := r.do("GET", "/v2/pre-recorded/"+id+"/outline", ""); a.status != 404 {
		t.Errorf("a live job as one of a recorded file: %d", a.status)
	}
}

func TestSearch(t *testing.T) {
	r := newTestServer(t, nil)
	first := r.said("Old tapes", "We crossed the old bridge on foot.", "Then the bridge fell.")
	for i := range 30 {
		r.said(fmt.Sprint("Call ", i), "Nothing of note.")
	}
	last := r.said("Bridge talk", "A \"quoted\" word.")
	titles := func(f transcripts.FoundRecords) (all []string) {
		for _, item := range f.Items {
			all = append(all, item.Title)
		}
		return all
	}
	all := get[transcripts.FoundRecords](r, "/v2/records?limit=3")
	if got := titles(all); len(got) != 3 || got[0] != "Bridge talk" || got[1] != "Call 29" || all.Next == nil ||
		all.Items[1].FirstWords != "Nothing of note." {
		t.Errorf("list: %+v", all)
	}
	f := get[transcripts.FoundRecords](r, "/v2/records?text=Bridge")
	if len(f.Items) != 2 || f.Items[0].ID != last || f.Items[0].Places.Count != 0 || f.Items[1].ID != first ||
		f.Items[1].Places.Count != 2 ||
		f.Items[1].Places.Text != "We crossed the old bridge on foot." || f.Next != nil {
		t.Errorf("search: %+v", f)
	}
	if f := get[transcripts.FoundRecords](r, "/v2/records?text=%22quoted%22"); len(f.Items) != 1 || f.Items[0].ID !=
		last {
		t.Errorf("search for quotes: %+v", titles(f))
	}
	company := r.said("Q&A", "They work for AT&T.")
	for _, text := range []string{"AT%26T", "q%26a"} {
		if f := get[transcripts.FoundRecords](r, "/v2/records?text="+text); len(f.Items) != 1 || f.Items[0].ID !=
			company {
			t.Errorf("search for %s: %q", text, titles(f))
		}
	}
	if f := get[transcripts.FoundRecords](r, "/v2/records?text=note&language=de"); len(f.Items) != 0 || f.Next != nil {
		t.Errorf("search in another language: %+v", f)
	}
	var walked []string
	for next := "/v2/records?text=note&limit=8"; ; {
		f := get[transcripts.FoundRecords](r, next)
		if walked = append(walked, titles(f)...); f.Next == nil {
			break
		}
		next = *f.Next
	}
	if len(walked) != 30 || walked[0] != "Call 29" || walked[29] != "Call 0" {
		t.Errorf("walked %d: %v", len(walked), walked)
	}
}

// The waveform of a session shows its level, at any zoom, also while it runs.
func TestPeaksOfSession(t *testing.T) {
	r := newTestServer(t, nil)
	id, url := r.create(`{"encoding":"wav/pcm","sample_rate":16000}`)
	c := call(t, url).mustConnect()
	quiet, loud := make([]byte, 64000), speech(2, 3)
	audio := append(quiet, loud...)
	if err := c.send(audio); err != nil {
		t.Fatal(err)
	}
	c.ackedTo(int64(len(audio)))
	path := "/v2/live/" + id + "/peaks"
	p := get[waveform.Peaks](r, path+"?points=40")
	want := float64(len(audio)) / 32000
	if math.Abs(p.Duration-want) > 0.03 || p.Channels != 1 || p.SampleRate != 16000 || p.Length > 40 || len(p.Data) !=
		2*p.Length {
		t.Fatalf("%+v, want %v s", p, want)
	}
	at := 2 / p.Duration * float64(p.Length)
	for i := range p.Length {
		low, high := p.Data[2*i], p.Data[2*i+1]
		if i < int(at)-1 && (low < -1 || high > 1) {
			t.Errorf("point %d is not silent: %d %d", i, low, high)
		}
	}
	loudest := int8(0)
	for _, v := range p.Data {
		loudest = max(loudest, v)
	}
	if loudest < 10 {
		t.Errorf("the loudest value is %d", loudest)
	}
	tail := get[waveform.Peaks](r, path+"?from=-1&points=4000")
	if math.Abs(tail.From-(want-1)) > 0.03 || tail.Length < 49 || tail.Length > 51 || tail.SamplesPerPixel != 320 {
		t.Errorf("the last second: from %v, %d points of %d samples", tail.From, tail.Length, tail.SamplesPerPixel)
	}
	if a := r.do("GET", path+"?points=0", ""); a.status != 400 {
		t.Errorf("no points: %d", a.status)
	}
}

// The waveform of a recorded file is made from the original, whatever its format, and only once.
func TestPeaksOfFile(t *testing.T) {
	r := recordedServer(t, nil)
	pcm := append(make([]byte, 32000), speech(2, 3)...)
	up := r.uploadFile("call.flac", encode(t, wavOf(pcm, 16000, 1), "call.flac"))
	a := r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+up.AudioURL+`"}`)
	var created messages.Created
	if err := json.Unmarshal(a.body, &created); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	path := "/v2/pre-recorded/" + created.ID + "/peaks?points=50"
	first := get[waveform.Peaks](r, path)
	if want := float64(len(pcm)) / 32000; math.Abs(first.Duration-want) > 0.03 || first.Length == 0 || first.Data[0] <
		-1 || slices.Max(first.Data) < 10 {
		t.Errorf("%+v, want %v s", first, want)
	}
	if again := get[waveform.Peaks](r, path); !slices.Equal(again.Data, first.Data) {
		t.Error("another waveform the second time")
	}
	r.media = nil
	r.restart()
	if a := r.do("GET", path, ""); a.status != 501 || !strings.Contains(string(a.body),
		"recorded files cannot be decoded on this server") {
		t.Errorf("without a decoder: %d %s", a.status, a.body)
	}
}

// Running sessions are listed with their last words as they are spoken, and their titles. Refused
// ones are listed too.
func TestRunningSessions(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.KeySessions = 1 })
	// more audio than is read at a time: endpointing takes a time
	id, url := r.create(`{"custom_metadata":{"title":"Front desk"},"sample_rate":16000,"endpointing":0.5}`)
	first := get[overview.RunningSessions](r, "/v2/sessions")
	if s := first.Items[0]; len(first.Items) != 1 || s.ID != id || s.Title != "Front desk" || s.State != "waiting" ||
		s.Level != nil || s.SampleRate != 16000 {
		t.Fatalf("%+v", first)
	}
	c := call(t, url).mustConnect()
	if err := c.send(append(speech(4, 5), make([]byte, 32000)...)); err != nil {
		t.Fatal(err)
	}
	var s overview.RunningSession
	waitUntil(t, "the final among the sessions, and silence after it", func() bool {
		s = get[overview.RunningSessions](r, "/v2/sessions").Items[0]
		return s.Quiet != nil && s.Level != nil && *s.Level <= 0.01 && s.Final != "" && slices.ContainsFunc(c.all(),
			func(f frame) bool { return f.final() != "" && strings.Contains(f.text, s.Final) })
	})
	if s.State != "connected" || s.Speaking || s.Sockets != 1 {
		t.Errorf("%+v", s)
	}
	var late overview.SessionDelays
	waitUntil(t, "the delays of all finals, those of sending included", func() bool {
		late = get[overview.SessionDelays](r, "/v2/live/"+id+"/delays")
		return len(late.Items) > 0 && !slices.ContainsFunc(late.Items,
			func(d overview.FinalDelay) bool { return d.Sent == nil })
	})
	if !late.Here || late.Items[0].Endpointed < 0 || late.Items[0].Decoded < 0 {
		t.Errorf("%+v", late)
	}
	waitUntil(t, "the finals whose delays were told", func() bool {
		return !slices.ContainsFunc(late.Items, func(d overview.FinalDelay) bool {
			return !slices.ContainsFunc(c.all(), func(f frame) bool { return f.final() == d.Utterance })
		})
	})
	c.hangUp()
	waitUntil(t, "the loss of the socket", func() bool {
		s := get[overview.RunningSessions](r, "/v2/sessions").Items[0]
		return s.State == "lost" && s.Left != nil && *s.Left > 1
	})
	if a := r.do("POST", "/v2/live", `{}`); a.status != 429 {
		t.Fatalf("a second session: %d", a.status)
	}
	capacity := get[overview.Capacity](r, "/v2/capacity")
	if len(capacity.Refused) != 1 || capacity.Refused[0].Status != 429 || capacity.Sessions.Here != 1 {
		t.Errorf("%+v", capacity)
	}
}

// The list of records contains the progress of a recording that is being transcribed.
func TestProgress(t *testing.T) {
	t.Parallel()
	g := newGatedRecognizer()
	r := recordedServer(t, nil, func(r *testServer) { r.engines.asr = g })
	up := r.uploadFile("long.wav", wavOf(speech(120, 5), 16000, 1)) // more utterances than may wait for the recognizer
	a := r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+up.AudioURL+`"}`)
	var created messages.Created
	if err := json.Unmarshal(a.body, &created); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	found := func() transcripts.FoundRecord { return get[transcripts.FoundRecords](r, "/v2/records").Items[0] }
	waitUntil(t, "a part of it was heard", func() bool { p := found().Progress; return p != nil && *p > 0.1 })
	part, outline := *found().Progress, get[transcripts.Outline](r, "/v2/pre-recorded/"+created.ID+"/outline")
	if part >= 1 || outline.Progress == nil || *outline.Progress < part {
		t.Errorf("%v of it was heard, then %v", part, outline.Progress)
	}
	close(g.gate)
	waitUntil(t, "its end", func() bool { return found().Status == messages.StatusDone })
	if p := found().Progress; p != nil {
		t.Errorf("%v of what is done", *p)
	}
}

// The log of callbacks lists the outcome of each, without secrets. Dropped ones can be delivered
// again.
func TestCallbackLog(t *testing.T) {
	r := newTestServer(t, nil)
	id, other := r.said("Call", "Hello."), r.said("Other", "Hello.")
	enqueue := func(job string) {
		t.Helper()
		err := r.store.Enqueue(t.Context(), store.Delivery{
			Account: DefaultAccount, Job: job, Seq: 1, Event: "live.transcript",
			URL: "http://127.0.0.1:1/hook?secret=hunter2", Method: "POST",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	enqueue(id)
	var d callbacks.LoggedDelivery
	waitUntil(t, "an attempt", func() bool {
		list := get[callbacks.DeliveryList](r, "/v2/live/"+id+"/callbacks")
		d = list.Items[0]
		return d.Attempts > 0 && d.Failure != "" || d.State == store.DeliveryDead
	})
	if d.Event != "live.transcript" || d.URL != "http://127.0.0.1:1/hook" || d.Number != 1 {
		t.Errorf("%+v", d)
	}
	if d.State == store.DeliveryPending && !d.LastAttempt.After(d.FirstAttempt.Time) {
		t.Errorf("it is given up at %v, first tried at %v", d.LastAttempt, d.FirstAttempt)
	}
	again := "/v2/live/" + id + "/callbacks/" + d.ID + "/redeliver"
	if a := r.do("POST", again, ""); a.status != 202 {
		t.Errorf("redelivery: %d %s", a.status, a.body)
	}
	waitUntil(t, "the next attempt's time, or the end", func() bool {
		d = get[callbacks.DeliveryList](r, "/v2/live/"+id+"/callbacks").Items[0]
		return d.NextAttempt != nil || d.State == store.DeliveryDead
	})
	if a := r.do("POST", strings.Replace(again, id, other, 1), ""); a.status != 404 {
		t.Errorf("redelivery by another job: %d", a.status)
	}
	if list := get[callbacks.DeliveryList](r, "/v2/live/"+other+"/callbacks"); len(list.Items) != 0 {
		t.Errorf("of another job: %+v", list)
	}
}
