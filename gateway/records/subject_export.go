package records

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// ExportedJob is what the index of an export has of a job.
type ExportedJob struct {
	ID      string                `json:"id"`
	Kind    messages.JobKind      `json:"kind"`
	Status  messages.Status       `json:"status"`
	Files   messages.List[string] `json:"files"`
	Missing messages.List[string] `json:"missing,omitempty"` // what could not be read, and why
}

// exportIndex is export.json, the last file of an export.
type exportIndex struct {
	Account  string                     `json:"account"`
	Metadata messages.Object            `json:"custom_metadata"`
	Created  messages.Timestamp         `json:"created_at"`
	Jobs     messages.List[ExportedJob] `json:"jobs"`
	More     bool                       `json:"more"`
	Next     int                        `json:"next_offset"`
}

// ExportSubject answers with a ZIP archive of the jobs whose custom metadata hold what the query
// asks for. It is written as it is read: an archive that was cut off lacks its end and its index.
func (s *Service) ExportSubject(w http.ResponseWriter, r *http.Request) error {
	q, r, err := s.subject(r, messages.MaxExported)
	if err != nil {
		return err
	}
	at := newSlot(r, s.lists)
	if err := s.busy(at.acquire()); err != nil {
		return err
	}
	ids, more, err := s.subjectIDs(r, q)
	at.release()
	if err != nil {
		return err
	}
	index := exportIndex{Account: q.Account, Metadata: q.CustomMetadata, Created: messages.Stamp(time.Now().UTC()),
		More: more, Next: q.Offset + len(ids), Jobs: messages.List[ExportedJob]{}}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="export.zip"`)
	e := &export{Service: s, r: r, at: newSlot(r, s.reads), index: &index}
	if err := s.busy(e.at.acquire()); err != nil {
		return err
	}
	defer e.at.release()
	return s.stream(w, r, e.at, func(out io.Writer) error { return e.write(out, ids) })
}

// subjectIDs lists the ids of the jobs that a query asks for, newest first. Jobs that are made
// meanwhile move the list: what comes twice is left out.
func (s *Service) subjectIDs(r *http.Request, q messages.SubjectQuery) (ids []string, more bool, err error) {
	page, seen := q.ListQuery, map[string]bool{}
	for more = true; more && len(ids) < q.Limit; {
		page.Limit = min(q.Limit-len(ids), messages.MaxLimit)
		var listed []store.Listed
		if listed, more, err = s.Store.List(r.Context(), web.Account(r), page); err != nil {
			return nil, false, err
		}
		for _, l := range listed {
			if !seen[l.ID] {
				seen[l.ID], ids = true, append(ids, l.ID)
			}
		}
		page.Offset += len(listed)
	}
	return ids, more, nil
}

// export writes an archive for one request.
type export struct {
	*Service
	r     *http.Request
	at    *slot
	zip   *zip.Writer
	index *exportIndex
}

func (e *export) write(out io.Writer, ids []string) error {
	e.zip = zip.NewWriter(out)
	for _, id := range ids {
		if err := e.job(id); err != nil {
			return err
		}
	}
	err := e.file("export.json", zip.Deflate, time.Now(), func(out io.Writer) error {
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		enc.SetEscapeHTML(false)
		return enc.Encode(e.index)
	})
	if err == nil {
		err = e.zip.Close()
	}
	return err
}

// file adds a file of what write writes.
func (e *export) file(name string, method uint16, at time.Time, write func(io.Writer) error) error {
	out, err := e.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: at})
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(out)
	if err := write(buf); err != nil {
		return err
	}
	return buf.Flush()
}

// job adds the files of a job. One that was deleted meanwhile has none.
func (e *export) job(id string) error {
	var record store.Record
	job, err := e.read(e.r, e.at, func() (found store.Record, err error) {
		found, err = e.Store.Get(e.r.Context(), web.Account(e.r), id)
		record = found
		return found, err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer job.result.letGo()
	record.Result = nil // held by job
	x := ExportedJob{ID: id, Kind: record.Kind, Status: record.Status, Files: messages.List[string]{}}
	add := func(name string, method uint16, write func(io.Writer) error) error {
		x.Files = append(x.Files, id+"/"+name)
		return e.file(id+"/"+name, method, record.CreatedAt, write)
	}
	err = add("record.json", zip.Deflate, func(out io.Writer) error { return e.writeJob(e.r.Context(), out, job) })
	if text := transcriptOf(job.result); err == nil && text != "" {
		err = add("transcript.txt", zip.Deflate, func(out io.Writer) error {
			_, err := io.WriteString(out, text+"\n")
			return err
		})
	}
	if err == nil && record.Kind == messages.JobLive {
		err = add("messages.jsonl", zip.Deflate, func(out io.Writer) error { return e.messages(out, id) })
	}
	if err == nil {
		err = e.audio(record, &x, add)
	}
	e.index.Jobs = append(e.index.Jobs, x)
	web.TrailOf(e.r).Each(id, http.StatusOK)
	return err
}

// transcriptOf returns what was said, of a result; empty where there is none.
func transcriptOf(of *result) string {
	var parts struct {
		Transcription struct {
			Full string `json:"full_transcript"`
		} `json:"transcription"`
	}
	if json.Unmarshal(of.text, &parts) != nil {
		return ""
	}
	return parts.Transcription.Full
}

// messages writes the logged messages of a session, one a line.
func (e *export) messages(out io.Writer, id string) error {
	return eachEvent(e.r.Context(), e.Store, web.Account(e.r), id, func(event messages.Event) error {
		_, err := out.Write(append(event.Body, '\n'))
		return err
	})
}

// audio adds the recording of a session, or the file of a job. What is not kept is left out; what
// cannot be read is in the index.
func (e *export) audio(record store.Record, x *ExportedJob,
	add func(name string, method uint16, write func(io.Writer) error) error) error {
	name, open, err := e.openAudio(record)
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrErased):
		return nil
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrMissing):
		x.Missing = append(x.Missing, "audio: "+err.Error())
		return nil
	case err != nil || open == nil:
		return err
	}
	err = add(name, zip.Store, func(out io.Writer) error {
		_, err := io.Copy(out, open)
		return err
	})
	return errors.Join(err, open.Close())
}

// openAudio opens the audio of a job; nil where there is none.
func (e *export) openAudio(record store.Record) (name string, open io.ReadCloser, err error) {
	if record.Kind == messages.JobLive {
		if neverConnected(record) || record.Stripped.Has(store.PartAudio) {
			return "", nil, nil
		}
		recording, err := e.OpenRecording(e.r.Context(), record)
		if err != nil {
			return "", nil, err
		}
		return "audio.wav", wavFile{newWAVReader(recording)}, nil
	}
	if record.Upload == "" {
		return "", nil, nil
	}
	u, err := e.Store.Upload(e.r.Context(), record.Account, record.Upload)
	if err != nil {
		return "", nil, err
	}
	file, err := e.Store.OpenUpload(e.r.Context(), record.Account, record.Upload)
	if name = "audio"; u.Extension != "" {
		name += "." + u.Extension
	}
	return name, file, err
}

// wavFile is a recording as a WAV file, which is closed.
type wavFile struct{ *wavReader }

// Close closes the recording.
func (f wavFile) Close() error { return f.recording.Close() }
