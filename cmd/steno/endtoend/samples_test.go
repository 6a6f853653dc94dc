package endtoend_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/html"
)

// testSamples carries out every sample of the page /docs, in each of its languages.
func testSamples(t *testing.T, w *workbench) {
	b := &bench{workbench: w, samples: pageSamples(t, w.g)}
	const elsewhere = "https://example.com/talk.mp3" // a sample's: it would be fetched
	for _, of := range b.samples {
		of["postV2PreRecorded"] = strings.Replace(of["postV2PreRecorded"], elsewhere, w.g.url()+"/file/"+
			b.uploaded(t), 1)
	}
	for language, run := range map[string]struct {
		interpreter, driver string
		need                func(*testing.T)
	}{
		"sh": {need: needCommands},
		"js": {"node", "run.mjs", func(t *testing.T) { findSDK(t) }},
		"py": {"python3", "run.py", needPython},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			run.need(t)
			if len(b.samples[language]) < 25 {
				t.Fatalf("%d samples", len(b.samples[language]))
			}
			b.carryOut(t, language, run.interpreter, run.driver)
		})
	}
}

// needCommands skips a test where the programs that documented commands use are missing.
func needCommands(t *testing.T) {
	t.Helper()
	needPrograms(t, "bash", "curl", "jq", "ffmpeg", "node")
	findSDK(t)
}

// needPython skips a test where Python lacks the packages of the samples.
func needPython(t *testing.T) {
	t.Helper()
	if pythonWith("requests", "websockets") == "" {
		t.Skip("no Python with requests and websockets: apt install python3-requests python3-websockets")
	}
}

// needPrograms skips a test where programs are missing.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// bench is a workbench with the samples of a page, by language and task.
type bench struct {
	*workbench
	samples  map[string]map[string]string
	accounts atomic.Int64 // made for samples
}

// pageSamples reads the samples of the page that a gateway serves.
func pageSamples(t *testing.T, g *gateway) map[string]map[string]string {
	t.Helper()
	resp, err := http.Get(g.url() + "/docs")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := html.Parse(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{}
	for n := range page.Descendants() {
		if n.Data != "pre" {
			continue
		}
		at := map[string]string{}
		for _, a := range n.Attr {
			at[a.Key] = a.Val
		}
		if language := at["data-lang"]; language != "" {
			if all[language] == nil {
				all[language] = map[string]string{}
			}
			all[language][at["data-sample"]] = textOf(n)
		}
	}
	return all
}

// textOf is the text within an element.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// carryOut runs the samples of a language: those that need one of their own, such as what they
// delete, find it made.
func (b *bench) carryOut(t *testing.T, language, interpreter, driver string) {
	of := b.of(t)
	var scripts []script
	for task, text := range b.samples[language] {
		switch {
		case task == "getV2Events":
			b.follow(t, language, interpreter, text)
		case language == "sh":
			said, err := b.shell(of(task), text)
			check(t, text, report{task, said, errorText(err)})
		case strings.HasPrefix(task, "guide-"):
			said, err := b.run(of(task), interpreter, b.write(task+"."+extension(language), []byte(b.here(text))))
			check(t, text, report{task, said, errorText(err)})
		default:
			scripts = append(scripts, script{task, b.write(task+"."+extension(language), []byte(b.here(text))),
				of(task)})
		}
	}
	if language == "sh" {
		return
	}
	outcomes, err := b.drive(interpreter, driver, scripts)
	if err != nil || len(outcomes) != len(scripts) {
		t.Errorf("%d of %d samples were run: %v", len(outcomes), len(scripts), err)
	}
	for _, o := range outcomes {
		check(t, b.samples[language][o.Name], o)
	}
}

func extension(language string) string {
	if language == "js" {
		return "mjs"
	}
	return language
}

func errorText(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// prints tells whether a sample prints its answer: no file, and no empty one.
func prints(text string) bool {
	return strings.Contains(text, ".json()") || strings.HasPrefix(text, "curl") && !strings.Contains(text, " -o ") &&
		!strings.Contains(text, "-X ")
}

// check wants a sample to have gone well, and to have printed something where it is to.
func check(t *testing.T, text string, o report) {
	t.Helper()
	switch {
	case o.Error != "":
		t.Errorf("%s: %s\n%s", o.Name, o.Error, o.Said)
	case strings.HasPrefix(o.Name, "guide-") && len(strings.Fields(o.Said)) < 3:
		t.Errorf("%s tells no words: %q", o.Name, o.Said)
	case o.Said == "" && prints(text):
		t.Errorf("%s prints nothing", o.Name)
	}
}

// of returns a function that returns the environment that a task's sample needs. What a sample
// deletes, or sends again, is made for it.
func (b *bench) of(t *testing.T) func(task string) environment {
	live, job := b.talk(t), b.job(t)
	return func(task string) environment {
		switch {
		case task == "deleteV2LiveId":
			return environment{"ID": b.talk(t)}
		case task == "deleteV2PreRecordedId":
			return environment{"ID": b.job(t)}
		case task == "deleteV2TokensId":
			return environment{"ID": b.made(t, "/v2/tokens", `{"scopes":["read"]}`)}
		case task == "deleteV2AdminAccountsAccount":
			name := "tenant-" + strconv.FormatInt(b.accounts.Add(1), 10)
			b.g.ask(t, "PUT", "/v2/admin/accounts/"+name, "application/json", strings.NewReader(`{"sessions":3}`),
				http.StatusOK, new(any))
			return environment{"ACCOUNT": name}
		case task == "getFileId":
			return environment{"ID": b.uploaded(t)}
		case strings.HasSuffix(task, "Redeliver"):
			return b.undelivered(t, strings.Contains(task, "PreRecorded"))
		case strings.Contains(task, "PreRecorded"):
			return environment{"ID": job}
		}
		return environment{"ID": live, "ACCOUNT": "acme"}
	}
}

// undelivered returns the environment of a job, or a session, with a dead callback.
func (b *bench) undelivered(t *testing.T, recorded bool) environment {
	t.Helper()
	config := map[string]string{"url": "http://127.0.0.1:1/"} // nothing listens
	path, id := "/v2/live/", ""
	if recorded {
		path = "/v2/pre-recorded/"
		id = b.made(t, "/v2/pre-recorded", `{"audio_url":"`+b.g.url()+`/file/`+b.uploaded(t)+
			`","callback":true,"callback_config":{"url":"`+config["url"]+`"}}`)
	} else {
		s := b.g.openLive(t, "/v2/live", map[string]any{"callback": true, "callback_config": config})
		s.stop()
		s.finals()
		id = s.id
	}
	for deadline := time.Now().Add(documentedWithin); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var list struct {
			Items []struct{ ID, State string }
		}
		b.g.ask(t, "GET", path+id+"/callbacks", "", nil, http.StatusOK, &list)
		for _, d := range list.Items {
			if d.State == "dead" {
				return environment{"ID": id, "DELIVERY": d.ID}
			}
		}
	}
	t.Fatal("no callback was given up")
	return nil
}

// talk returns the id of a finished live session.
func (b *bench) talk(t *testing.T) string {
	t.Helper()
	s := b.g.openLive(t, "/v2/live", map[string]any{})
	if err := s.conn.Write(t.Context(), websocket.MessageBinary, b.recording[44:]); err != nil {
		t.Fatal(err)
	}
	s.stop()
	s.finals()
	return s.id
}

// job returns the id of a finished job of a recording.
func (b *bench) job(t *testing.T) string {
	t.Helper()
	path := b.g.submit(t, b.dir+"/talk.wav")
	b.g.await(t, path)
	return path[strings.LastIndexByte(path, '/')+1:]
}

// uploaded is the id of a file.
func (b *bench) uploaded(t *testing.T) string {
	t.Helper()
	kind, form := formOf(t, "talk.wav", b.recording, nil)
	var up struct {
		Metadata struct{ ID string } `json:"audio_metadata"`
	}
	b.g.ask(t, "POST", "/v2/upload", kind, form, http.StatusOK, &up)
	return up.Metadata.ID
}

// made posts a body and returns the id of the answer.
func (b *bench) made(t *testing.T, path, body string) string {
	t.Helper()
	var answer struct{ ID string }
	b.g.ask(t, "POST", path, "application/json", strings.NewReader(body), http.StatusCreated, &answer)
	return answer.ID
}

// follow runs the sample that follows all sessions, which ends when it is ended, and opens sessions
// until it reports one.
func (b *bench) follow(t *testing.T, language, interpreter, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), documentedWithin)
	defer cancel()
	cmd := b.command(ctx, nil, "bash", "-c", "exec "+b.here(text))
	if language != "sh" {
		cmd = b.command(ctx, nil, interpreter, b.write("events."+extension(language), []byte(b.here(text))))
	}
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan bool, 1)
	go func() {
		_, err := out.Read(make([]byte, 1))
		told <- err == nil
		_, _ = io.Copy(io.Discard, out)
	}()
	for waiting := true; waiting; {
		b.made(t, "/v2/live", "{}")
		select {
		case ok := <-told:
			if waiting = false; !ok {
				t.Errorf("nothing was told: %s", errors.String())
			}
		case <-time.After(300 * time.Millisecond):
		}
	}
	cancel()
	_ = cmd.Wait()
}
