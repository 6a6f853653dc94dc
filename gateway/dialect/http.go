package dialect

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
)

// HTTP is what a dialect answers over HTTP. Its clients meet the same limits, quotas and scopes as
// those of the gateway's own operations.
type HTTP struct {
	Routes []Route
	// Credential returns the API key or token of a request, where clients send it otherwise than
	// the gateway's own do; empty: there is none in that place. May be nil.
	Credential func(r *http.Request) string
	// Refuse answers with a problem in the form that the dialect's clients read.
	Refuse func(w http.ResponseWriter, r *http.Request, p *messages.Problem)
	// Failure is a value of the struct whose JSON Refuse answers with, for descriptions.
	Failure any
	// Callback returns the body of the callback with a finished job, which is JSON. Nil: that of
	// the gateway's own jobs.
	Callback func(r *Record) ([]byte, error)
}

// Route is one operation. Descriptions are made of it.
type Route struct {
	Method string
	Path   string // a pattern of net/http, below the dialect's prefix: its name after a slash
	Bare   bool   // also without the prefix, where nothing else answers there
	Needs  Need
	Handle web.Handler // its errors are answered by Refuse

	Summary string   // a few words
	Query   []string // names of the parameters that it reads
	Takes   []Body   // the forms of a request's body; none: it has none
	// Bodiless: the body of a request may be left out.
	Bodiless bool
	Gives    []Body // the forms of the body of an answer of success, 200
	Refuses  []int  // the statuses of failure beyond those of every operation
}

// Need is what the key or token of a caller must allow.
type Need int

// The needs.
const (
	NeedKey    Need = iota // nothing: any key or token will do
	NeedJobs               // to make jobs of recorded files
	NeedRead               // to read jobs
	NeedChange             // to delete jobs of recorded files
	NeedLive               // to open live sessions
	NeedOwn                // to make tokens: the key itself, no token
)

// Ignored is something that clients may ask for and that has no effect. Documents are made of it.
type Ignored struct {
	Where  string // the operation, such as "POST /v1/listen"
	Option string // by its name; several are separated by commas
	Why    string // a clause that begins with a small letter
}

// Services are what the operations of a dialect may ask the gateway for. Each is for the principal
// of the request that it is given. Errors are problems, see [web.AsProblem].
type Services struct {
	MaxBody int64 // bytes of a request's body that holds no file

	// Models lists the models as they are, the default first.
	Models func(ctx context.Context) []messages.Model
	// ReadForm receives a form and its file, which is the first part of that name. Of fields named
	// in unread the values are left out. The caller discards what is returned without an error.
	ReadForm func(w http.ResponseWriter, r *http.Request, file string, unread ...string) (*Received, error)
	// ReadFile receives a file that read copies from the body of a request, of which at most
	// overhead bytes are not the file's. The caller discards what is returned without an error.
	ReadFile func(w http.ResponseWriter, r *http.Request, overhead int64,
		read func(body io.Reader, file io.Writer) error) (*Received, error)
	// Submit has a recorded file transcribed. The caller may wait for its end if it waits, and
	// calls Release then.
	Submit func(w http.ResponseWriter, r *http.Request, t Task) (*Job, error)
	// FileURL is the address of an upload.
	FileURL func(r *http.Request, upload string) string
	// Job returns a job of a recorded file by its id.
	Job func(r *http.Request, id string) (*Record, error)
	// Jobs lists jobs of recorded files, newest first, and reports whether there are more.
	Jobs func(r *http.Request, q messages.ListQuery) (page []*Record, more bool, err error)
	// Delete deletes a job of a recorded file with its file. One that is not finished is cancelled.
	Delete func(r *http.Request, id string) error
	// Subtitles returns what was said in a recording of so many seconds as a file, srt or vtt,
	// whose captions have at most so many characters; 0: what is usual.
	Subtitles func(us []messages.Utterance, format string, characters int, seconds float64) (string, error)
	// Grant makes a token for live sessions and recorded files of the request's key.
	Grant func(r *http.Request, name string, life time.Duration) (token string, expires time.Time, err error)
}

// Received is what a client has sent: a file, and the fields of its form.
type Received struct {
	Fields map[string][]string // nil: it was no form
	Sent   bool                // there is a file
	Name   string              // of the file; may be empty
	Size   int64               // of the file, in bytes
	// Commit keeps the file as an upload if it is a recording, and returns its id. media is the
	// media type or the extension that it is taken for where its bytes leave that open; empty: what
	// its sender gave.
	Commit func(media string) (upload string, err error)
	// Discard removes a file that was not committed.
	Discard func()
}

// Task is a recorded file to be transcribed.
type Task struct {
	Request *messages.PreRecordedRequest
	Upload  string // id of the upload; empty: the request's audio_url is fetched
	Own     bool   // the upload is this job's alone: it is deleted where the job is not accepted
	Waits   bool   // the client waits for the end
	Options string // what the answer depends on, for its [Record]
}

// Job is a job that was accepted.
type Job struct {
	ID       string
	At       time.Time
	Warnings messages.Warnings
	// Await returns the result of the job when it has ended. final is called with each final as it
	// is recognized; nil: none is wanted. A job that has failed is a problem. When ctx ends, the
	// job is cancelled and deleted.
	Await func(ctx context.Context, final func(messages.Utterance)) (*messages.PreRecordedResult, error)
	// Release ends the waiting.
	Release func()
}

// Record is a job as it is kept.
type Record struct {
	ID        string
	Status    messages.Status
	At        time.Time
	Completed *time.Time
	Metadata  messages.Object // the request's
	Params    json.RawMessage // the request, with its defaults
	Dialect   string          // in which the job was asked for; empty: the gateway's own
	Options   string          // of the task, see [Task]
	Seconds   *float64        // length of the audio; nil: not known yet
	Upload    string          // the id of its upload; empty: not fetched yet, or deleted
	// Result is nil where Failed is not, and until the job is finished.
	Result *messages.PreRecordedResult
	Failed *messages.Problem // why it has failed
}
