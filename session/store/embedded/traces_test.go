package embedded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

// traces are the words of one job that stand nowhere else.
type traces struct {
	id    string
	words []string
	next  *rand.Rand
}

// text has a word that is the job's alone, and about so many bytes.
func (w *traces) text(size int) string {
	word := fmt.Sprintf("zq%sx%dqz", strings.ReplaceAll(w.id, "-", ""), len(w.words))
	w.words = append(w.words, word)
	return strings.Repeat(word+" ", 1+size/(len(word)+1))
}

func (w *traces) some() string { return w.text(w.next.IntN(1 << (5 + w.next.IntN(8)))) }

func (w *traces) json() json.RawMessage { return json.RawMessage(`{"a":"` + w.some() + `"}`) }

// leaveTraces makes live and recorded jobs, their rows interleaved, and ends them.
func leaveTraces(t *testing.T, s *Store, n int) []*traces {
	t.Helper()
	ctx, next := t.Context(), rand.New(rand.NewPCG(1, 2))
	all, lives := make([]*traces, n), make([]store.Live, n)
	for i := range all {
		w := &traces{id: fmt.Sprintf("%04x-job-%d", next.IntN(1<<16), i), next: next}
		all[i] = w
		upload := traceUpload(t, s, w)
		r := newRecord(w.id)
		r.CustomMetadata, r.PostSessionMetadata, r.Params, r.Upload = json.RawMessage(`{"`+w.text(20)+`":"`+w.some()+
			`"}`), w.json(), w.json(), upload
		if i%4 >= 2 {
			r.Kind = messages.JobPreRecorded
		}
		fatal(t, s.Create(ctx, r), s.AddToken(ctx, traceToken(w)))
		l, err := s.Claim(ctx, w.id, store.IfFree)
		fatal(t, err)
		lives[i] = l
	}
	for round := range 3 {
		for i, l := range lives {
			w := all[i]
			e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: w.text(1)}, Body: []byte(w.some())}
			seq, _, err := l.AppendEvent(ctx, e, round%2, []byte(w.some()))
			d := newDelivery(seq, w.text(1))
			d.Job, d.URL, d.Body = w.id, "https://host/"+w.text(10), []byte(w.some())
			fatal(t, err, l.AppendAudio(ctx, []byte(w.some())), s.Enqueue(ctx, d), s.ChangeMetadata(ctx, "acme", w.id,
				metadata.Patch(map[string]any{fmt.Sprint(round % 3): w.some()})))
		}
		sendSome(t, s)
	}
	for i, l := range lives {
		if i%4 < 2 {
			fatal(t, l.Finish(ctx, store.Outcome{Result: all[i].json(), Seconds: 1}))
		}
		fatal(t, l.Close())
	}
	finishJobs(t, s, all)
	return all
}

// traceToken is a token for a job, whose hash and id are words of it as well.
func traceToken(w *traces) store.Token {
	now := time.Now()
	return store.Token{
		ID: strings.TrimSpace(w.text(0)), Hash: fmt.Appendf(nil, "%-32s", w.text(0)), Account: "acme",
		Key:  bytes.Repeat([]byte{1}, 32),
		Name: w.text(40), Scopes: store.ScopeRead, Sessions: []string{w.id}, CreatedAt: now,
		ExpiresAt: now.Add(time.Hour),
	}
}

func traceUpload(t *testing.T, s *Store, w *traces) string {
	t.Helper()
	u, err := s.NewUpload(t.Context(), "up-"+w.id)
	fatal(t, err)
	_, err = io.WriteString(u, w.some())
	fatal(t, err)
	kept, err := u.Commit(t.Context(), store.Upload{Account: "acme", Filename: w.text(10), Source: w.text(100),
		CreatedAt: time.UnixMilli(1e12)})
	fatal(t, err)
	return kept.ID
}

// sendSome settles deliveries in every way.
func sendSome(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	due, err := s.ClaimDeliveries(ctx, time.Minute, 1000)
	fatal(t, err)
	for i, d := range due {
		switch i % 3 {
		case 0:
			fatal(t, s.Sent(ctx, d))
		case 1:
			fatal(t, s.Failed(ctx, d, time.Now(), 500, "it said "+string(d.Body[:min(len(d.Body), 300)])))
		case 2:
			fatal(t, s.Dead(ctx, d, 500, "it said "+string(d.Body[:min(len(d.Body), 300)])))
		}
	}
}

func finishJobs(t *testing.T, s *Store, all []*traces) {
	t.Helper()
	of := map[string]*traces{}
	for _, w := range all {
		of[w.id] = w
	}
	for {
		l, ok, err := s.LeaseJob(t.Context(), "node", time.Minute, store.Want{})
		fatal(t, err)
		if !ok {
			return
		}
		w := of[l.Record.ID]
		fatal(t, s.FinishJob(t.Context(), l, store.Outcome{Result: w.json(), Seconds: 1, Message: w.text(50),
			ErrorCode: 500}))
	}
}

// findTraces wants no word of each other job, which was deleted, and some of those kept.
func findTraces(t *testing.T, dir string, all []*traces, when string) {
	t.Helper()
	left := wordsIn(t, dir)
	for i, w := range all {
		found := 0
		for n, word := range w.words {
			if file := left[word]; file != "" {
				if found++; i%2 == 0 {
					t.Errorf("%s: word %d of job %s is in %s", when, n, w.id, file)
				}
			}
		}
		if i%2 != 0 && found == 0 {
			t.Errorf("%s: nothing is left of job %s, which was kept", when, w.id)
		}
	}
}

// wordsIn are the words that the files of a folder hold, each with the name of a file.
func wordsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	fatal(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for part := range bytes.SplitSeq(content, []byte("zq")) {
			if word, _, ok := bytes.Cut(part, []byte("qz")); ok && len(word) < 60 {
				found["zq"+string(word)+"qz"] = filepath.Base(path)
			}
		}
		return err
	}))
	return found
}
