package overview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"time"

	"steno/gateway/activity"
	"steno/gateway/lru"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	tailEvents = 200     // of the account's log, in which finals of sessions on other nodes are looked for
	factBytes  = 4 << 20 // of what is remembered of sessions
)

// Store is what the package needs of the store.
type Store interface {
	store.Records
	store.AccountLog
	store.Feed
}

// Deps are the parts that a Service works with. None may be nil.
type Deps struct {
	Store    Store
	Live     Live
	Capacity Capacities
	// Level returns the level of the end of a session's recording, between 0 and 1.
	Level func(ctx context.Context, record store.Record) (float64, error)
	// KeyName returns the owner's words for a key; empty where there are none.
	KeyName func(ctx context.Context, k web.KeyHash) string
	// Find returns the record that a request is about.
	Find func(r *http.Request, kind messages.JobKind) (store.Record, error)
}

// Live reports on the sessions on this node.
type Live interface {
	// Activities returns the activity of an account's sessions on this node, by session id.
	Activities(account string) map[string]activity.Session
	// Refusals returns the sessions of an account, or of all, that were refused since a time,
	// newest first.
	Refusals(account string, since time.Time) []activity.Refusal
	// Delays returns the delays of the newest finals of a session, newest first, if it is on this
	// node.
	Delays(session string) (list []activity.FinalDelay, here bool)
	// Unfinished returns how many sessions are not finished, on this node and on others.
	Unfinished() (here, elsewhere int)
}

// Service answers requests for the current activity. Its methods may be called from any goroutine.
type Service struct {
	Deps
	facts    *lru.Cache[*facts]
	partials *partials
}

// New returns a service, which the caller must Close.
func New(d Deps) *Service {
	return &Service{Deps: d, facts: lru.New[*facts](factBytes), partials: newPartials(d.Store)}
}

// Close stops following sessions, for those that have looked at them.
func (s *Service) Close() { s.partials.close() }

// facts is what does not change of a session.
type facts struct {
	record   store.Record // without its parameters
	key      string       // the owner's words for it
	title    string
	request  Format
	language []string
}

// Format is the form of a session's audio, from its request.
type Format struct {
	Encoding   string `json:"encoding" doc:"Of the audio"`
	BitDepth   int    `json:"bit_depth" doc:"Bits of a sample"`
	SampleRate int    `json:"sample_rate" doc:"In Hz"`
	Channels   int    `json:"channels" doc:"Of the audio"`
	Model      string `json:"model" doc:"Which was asked for"`
}

// RunningSessions are the sessions of an account that are not finished: at most 100, the newest.
type RunningSessions struct {
	Items messages.List[RunningSession] `json:"items" doc:"The sessions, the newest first"`
	More  bool                          `json:"more" doc:"There are more than 100"`
}

// RunningSession is a session that is not finished.
type RunningSession struct {
	ID        string                `json:"id" doc:"The job"`
	Title     string                `json:"title" doc:"Title of the custom metadata; may be empty"`
	Key       string                `json:"key" doc:"The owner's words for the key that opened it; may be empty"`
	CreatedAt messages.Timestamp    `json:"created_at" doc:"When it was opened"`
	Seconds   float64               `json:"age" doc:"Since created_at"`
	State     string                `json:"state" enum:"waiting,connected,lost,ended,elsewhere" doc:"waiting: no client has come; connected: its client is there; lost: its client may come back; ended: no audio follows; elsewhere: it is on another node, or waits for its client there"`
	Left      *float64              `json:"seconds_left" doc:"For the client to come back, where it is lost"`
	Speaking  bool                  `json:"speaking" doc:"Somebody speaks; on other nodes, as far as partials tell"`
	Quiet     *float64              `json:"quiet" doc:"Seconds since speech ended; null while it speaks, or where nobody has spoken"`
	Level     *float64              `json:"level" doc:"Of the last 0.3 s: the highest sample, between 0 and 1"`
	Final     string                `json:"final" doc:"Last one, at most 400 characters"`
	Partial   string                `json:"partial" doc:"What is being said after it, where the session has partials"`
	Delay     *float64              `json:"final_delay" doc:"Seconds that 19 of 20 of the newest finals took"`
	Sockets   int64                 `json:"connections" doc:"Sockets so far, on this node"`
	Languages messages.List[string] `json:"languages" doc:"That the session may be in"`
	Format
}

// Sessions answers with the running sessions of the account.
func (s *Service) Sessions(w http.ResponseWriter, r *http.Request) error {
	answer, err := s.running(r.Context(), web.Account(r))
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

func (s *Service) running(ctx context.Context, account string) (RunningSessions, error) {
	listed, more, err := s.Store.List(ctx, account, messages.ListQuery{
		Limit: messages.MaxLimit, Kinds: []messages.JobKind{messages.JobLive},
		Statuses: []messages.Status{messages.StatusQueued, messages.StatusProcessing},
	})
	if err != nil {
		return RunningSessions{}, err
	}
	answer := RunningSessions{More: more}
	activities := s.Live.Activities(account)
	for _, l := range listed {
		f, err := s.factsOf(ctx, account, l.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return RunningSessions{}, err
		}
		g, here := activities[l.ID]
		answer.Items = append(answer.Items, s.session(ctx, f, g, here))
	}
	return answer, s.addWords(ctx, account, &answer)
}

// factsOf returns what does not change of a session.
func (s *Service) factsOf(ctx context.Context, account, id string) (f *facts, err error) {
	err = s.facts.Use(ctx, id, func(kept **facts) (int64, error) {
		if *kept == nil {
			record, err := s.Store.Get(ctx, account, id)
			if err != nil {
				return 0, err
			}
			if *kept, err = newFacts(record); err != nil {
				return 0, err
			}
			if len(record.Key) == len(web.KeyHash{}) {
				(*kept).key = s.KeyName(ctx, web.KeyHash(record.Key))
			}
		}
		f = *kept
		return 1000 + int64(len(f.record.Params)), nil
	})
	return f, err
}

func newFacts(record store.Record) (*facts, error) {
	f := &facts{record: record}
	var named struct{ Title any }
	if len(record.CustomMetadata) > 0 {
		if err := json.Unmarshal(record.CustomMetadata, &named); err != nil {
			return nil, fmt.Errorf("read custom metadata: %w", err)
		}
	}
	f.title, _ = named.Title.(string)
	var languages struct {
		Config struct{ Languages []string } `json:"language_config"`
	}
	if err := errors.Join(json.Unmarshal(record.Params, &f.request), json.Unmarshal(record.Params, &languages)); err !=
		nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	f.language = languages.Config.Languages
	if len(record.Languages) > 0 {
		if err := json.Unmarshal(record.Languages, &f.language); err != nil {
			return nil, fmt.Errorf("read languages: %w", err)
		}
	}
	return f, nil
}

// session returns what is shown of a session; here is true if it is on this node.
func (s *Service) session(ctx context.Context, f *facts, g activity.Session, here bool) RunningSession {
	v := RunningSession{
		ID: f.record.ID, Title: f.title, Key: f.key, CreatedAt: messages.Stamp(f.record.CreatedAt),
		Seconds: rounded(time.Since(f.record.CreatedAt)),
		State:   "elsewhere", Languages: f.language, Format: f.request,
	}
	if here {
		v.State, v.Speaking, v.Final, v.Partial, v.Sockets = g.State, g.Speaking, g.Final, g.Partial, g.Connections
		v.Quiet, v.Delay = nonZero(g.Quiet, rounded), nonZero(g.FinalDelay, rounded)
	}
	if v.State == activity.StateLost {
		left := rounded(g.Left)
		v.Left = &left
	}
	if v.State == activity.StateConnected || v.State == "elsewhere" {
		if level, err := s.Level(ctx, f.record); err == nil { // else it is not known
			level = math.Round(level*1000) / 1000
			v.Level = &level
		}
	}
	return v
}

// addWords adds the last words of those sessions that have none here: what is being said, and the
// last final as far as it is among the account's last events.
func (s *Service) addWords(ctx context.Context, account string, answer *RunningSessions) error {
	without := map[string]*RunningSession{}
	said := map[string]string{} // the utterance that is being said, by session
	for i := range answer.Items {
		v := &answer.Items[i]
		if v.State == "elsewhere" {
			said[v.ID], v.Partial = s.partials.of(ctx, v.ID)
			v.Speaking = v.Partial != ""
		}
		if v.Final == "" && v.State != activity.StateWaiting {
			without[v.ID] = v
		}
	}
	if len(without) == 0 {
		return nil
	}
	events, err := s.Store.AccountTail(ctx, account, tailEvents)
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(events) {
		v := without[e.Session]
		if v == nil || e.Kind != messages.KindFinal || v.Final != "" {
			continue
		}
		if e.Subject == said[v.ID] {
			v.Partial, v.Speaking = "", false // its final has come
		}
		if m, err := e.Decode(); err == nil {
			if t, ok := m.(messages.Transcript); ok {
				v.Final = activity.Shown(t.Utterance.Text)
			}
		}
	}
	return nil
}

// nonZero returns a duration in seconds, as round has it; nil for 0.
func nonZero(d time.Duration, round func(time.Duration) float64) *float64 {
	if d == 0 {
		return nil
	}
	s := round(d)
	return &s
}

func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }
