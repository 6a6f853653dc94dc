package gateway

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"steno/gateway/records"
	"steno/messages"
	"steno/session/store"
)

// ofCustomer is the query for what one customer said.
const ofCustomer = "/v2/subjects?custom_metadata[customer]=42"

// erasure asks for the erasure of a subject.
func (r *testServer) erasure(address string, headers ...string) (e records.Erasure) {
	r.t.Helper()
	a := r.do("DELETE", address, "", headers...)
	if err := json.Unmarshal(a.body, &e); err != nil || a.status != 200 {
		r.t.Fatalf("%s: %d %s", address, a.status, a.body)
	}
	return e
}

// exported returns the files of an export by their names, and its index.
func (r *testServer) exported(address string, headers ...string) (files map[string][]byte, jobs []records.ExportedJob) {
	r.t.Helper()
	a := r.do("GET", address, "", headers...)
	archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil || a.header.Get("Content-Type") != "application/zip" {
		r.t.Fatalf("%s: %d %v %.200s", address, a.status, err, a.body)
	}
	files = map[string][]byte{}
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			r.t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(in); err != nil {
			r.t.Fatal(f.Name, err)
		}
	}
	var index struct{ Jobs []records.ExportedJob }
	if err := json.Unmarshal(files["export.json"], &index); err != nil {
		r.t.Fatal(err)
	}
	return files, index.Jobs
}

// idsOf returns the ids of jobs, sorted.
func idsOf(list []records.ErasedJob) (ids []string) {
	for _, j := range list {
		ids = append(ids, j.ID)
	}
	slices.Sort(ids)
	return ids
}

// saidBy makes a session of a customer, who speaks, and ends it where that is asked for.
func (r *testServer) saidBy(customer string, ended bool) (id string, client *caller) {
	r.t.Helper()
	id, url := r.create(`{"custom_metadata":{"customer":"` + customer + `","call":1}}`)
	client = call(r.t, url).mustConnect()
	if err := client.send(speech(3, 2)); err != nil {
		r.t.Fatal(err)
	}
	client.await("a final", func(f frame) bool { return f.final() != "" })
	if ended {
		if err := client.stop(); err != nil {
			r.t.Fatal(err)
		}
		client.end()
		r.endedJob(id)
	}
	return id, client
}

// keptJob makes a finished record of a recorded file, with an upload that it may share.
func (r *testServer) keptJob(s store.Store, account, customer, upload string) (id, file string) {
	r.t.Helper()
	if upload == "" {
		w, err := s.NewUpload(r.t.Context(), uuid.NewString())
		if err != nil {
			r.t.Fatal(err)
		}
		if _, err := w.Write(wavOf(speech(1, 1), 16000, 1)); err != nil {
			r.t.Fatal(err)
		}
		up, err := w.Commit(r.t.Context(), store.Upload{Account: account, Extension: "wav",
			CreatedAt: time.Now().UTC()})
		if err != nil {
			r.t.Fatal(err)
		}
		upload = up.ID
	}
	at := time.Now().UTC().Truncate(time.Millisecond)
	record := store.Record{
		ID: uuid.NewString(), Account: account, Kind: messages.JobPreRecorded, Status: messages.StatusDone,
		Version: messages.Version, CreatedAt: at, CompletedAt: &at, Upload: upload,
		CustomMetadata: json.RawMessage(`{"customer":"` + customer + `"}`),
		Params:         json.RawMessage(`{"audio_url":"http://a.example/a.wav"}`),
		Result:         json.RawMessage(`{"transcription":{"full_transcript":"what was said"}}`),
	}
	if err := s.Create(r.t.Context(), record); err != nil {
		r.t.Fatal(err)
	}
	return record.ID, upload
}

// What is kept of a subject is exported, and erased, with what is running only where that is asked
// for; what others have stays.
func TestSubjects(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, func(c *Config) { c.Keys = append(c.Keys, Key{Text: "key-of-others", Account: "others"}) })
	r.subjects(r.store)
}

// The same holds for a store that gateways share.
func TestSubjectsOfCluster(t *testing.T) {
	t.Parallel()
	r, _ := newCluster(t).node("one", func(c *Config) {
		c.Keys = append(c.Keys, Key{Text: "key-of-others", Account: "others"})
	})
	r.subjects(r.server.deps.Store)
}

func (r *testServer) subjects(s store.Store) {
	t := r.t
	ended, _ := r.saidBy("42", true)
	running, client := r.saidBy("42", false)
	other, _ := r.saidBy("43", true)
	job, file := r.keptJob(s, DefaultAccount, "42", "")
	sharing, _ := r.keptJob(s, DefaultAccount, "43", "")
	shared, sharedFile := r.keptJob(s, DefaultAccount, "43", "")
	mine, _ := r.keptJob(s, DefaultAccount, "42", sharedFile)
	theirs, _ := r.keptJob(s, "others", "42", "")

	files, jobs := r.exported(ofCustomer)
	if len(jobs) != 4 {
		t.Fatalf("exported are %+v", jobs)
	}
	for _, j := range jobs {
		for _, name := range j.Files {
			if _, ok := files[name]; !ok || len(j.Missing) > 0 {
				t.Errorf("the archive lacks %s of %+v", name, j)
			}
		}
	}
	for name, path := range map[string]string{
		ended + "/record.json": "/v2/live/" + ended, ended + "/audio.wav": "/v2/live/" + ended + "/file",
		running + "/record.json": "/v2/live/" + running,
		job + "/record.json":     "/v2/pre-recorded/" + job, job + "/audio.wav": "/v2/pre-recorded/" + job + "/file",
	} {
		if a := r.do("GET", path, ""); a.status != 200 || !bytes.Equal(bytes.TrimSpace(files[name]),
			bytes.TrimSpace(a.body)) {
			t.Errorf("%s has %d bytes, %s %d: %d", name, len(files[name]), path, len(a.body), a.status)
		}
	}
	var logged []string
	for line := range strings.Lines(string(files[ended+"/messages.jsonl"])) {
		logged = append(logged, strings.TrimSpace(line))
	}
	if got := r.result(ended); !slices.Equal(logged, got.Messages) || len(logged) == 0 {
		t.Errorf("the messages are %q, not %q", logged, got.Messages)
	}
	if got := string(files[job+"/transcript.txt"]); got != "what was said\n" || len(files[running+"/audio.wav"]) < 44 {
		t.Errorf("the transcript is %q", got)
	}

	e := r.erasure(ofCustomer)
	want := []string{ended, job, mine}
	slices.Sort(want)
	if !slices.Equal(idsOf(e.Erased), want) || !slices.Equal(idsOf(e.Refused), []string{running}) || e.Files != 1 ||
		!slices.Equal(e.Shared, []string{sharedFile}) || e.Cancelled != 0 || e.More || e.Next != 1 {
		t.Errorf("erased is %+v", e)
	}
	if a := r.do("GET", "/file/"+file, ""); a.status != 404 {
		t.Errorf("the file: %d", a.status)
	}
	if e := r.erasure(ofCustomer + "&offset=1"); len(e.Erased)+len(e.Refused) != 0 {
		t.Errorf("erased again is %+v", e)
	}
	e = r.erasure(ofCustomer + "&cancel=true&limit=1")
	if !slices.Equal(idsOf(e.Erased), []string{running}) || e.Cancelled != 1 {
		t.Errorf("with cancel erased is %+v", e)
	}
	if code := client.end(); code != 4410 {
		t.Errorf("the session's socket ends with %d", code)
	}
	if files, jobs := r.exported(ofCustomer); len(jobs) != 0 || len(files) != 1 {
		t.Errorf("afterwards exported are %+v", jobs)
	}
	for _, id := range []string{other, sharing, shared} {
		if a := r.do("GET", "/v2/transcription/"+id, ""); a.status != 200 {
			t.Errorf("another subject's job: %d %s", a.status, a.body)
		}
	}
	r.subjectsOfOthers(theirs)
}

// subjectsOfOthers asks for a record of another account.
func (r *testServer) subjectsOfOthers(theirs string) {
	t, others := r.t, []string{"x-service-key", "key-of-others"}
	for _, address := range []string{ofCustomer + "&account=" + DefaultAccount, "/v2/subjects",
		"/v2/subjects?custom_metadata={}", ofCustomer + "&limit=0", ofCustomer + "&cancel=maybe"} {
		want := 400
		if strings.Contains(address, "account=") {
			want = 403
		}
		for _, method := range []string{"GET", "DELETE"} {
			if a := r.do(method, address, "", others...); a.status != want {
				t.Errorf("%s %s: %d %s", method, address, a.status, a.body)
			}
		}
	}
	if _, jobs := r.exported(ofCustomer + "&account=others"); len(jobs) != 1 || jobs[0].ID != theirs {
		t.Errorf("an operator has exported %+v", jobs)
	}
	if e := r.erasure(ofCustomer + "&account=others"); !slices.Equal(idsOf(e.Erased), []string{theirs}) {
		t.Errorf("an operator has erased %+v", e)
	}
}
