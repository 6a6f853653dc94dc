package overview

import (
	"math"
	"net/http"
	"time"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// refusedFor is how far back refusals are listed.
const refusedFor = time.Hour

// Capacities tells what this node can carry.
type Capacities interface{ Headroom() admission.Headroom }

// Capacity is what the node that answers carries, and what it could carry in addition. It counts
// the sessions of all accounts, so that only keys with the scope admin see it; others see their
// account's refusals.
type Capacity struct {
	Speaking *float64                  `json:"speaking" doc:"Channels with open speech; null without the scope admin"`
	Held     *float64                  `json:"held" doc:"For new sessions, which count as speaking for half a minute; null without the scope admin"`
	Room     *float64                  `json:"room" doc:"Voices that can be admitted; null where nothing bounds them, and without the scope admin"`
	Sessions *SessionCount             `json:"sessions" doc:"Live sessions that are not finished; null without the scope admin"`
	Engines  messages.List[EngineRoom] `json:"engines" doc:"Those that tell of their load; none without the scope admin"`
	Refused  messages.List[Refusal]    `json:"refused" doc:"In the last hour, the newest first"`
}

// SessionCount is those that are not finished.
type SessionCount struct {
	Here      int `json:"here" doc:"On the node that answers"`
	Elsewhere int `json:"elsewhere" doc:"On other nodes, as they have reported"`
}

// EngineRoom is an engine that reports its load.
type EngineRoom struct {
	Name      string   `json:"name" doc:"As configured"`
	Capacity  *float64 `json:"capacity" doc:"Voices; null where it is not known"`
	Room      *float64 `json:"room" doc:"Voices that can be admitted in addition; null where it is not known"`
	Degraded  string   `json:"degraded" enum:"nothing,recordings,partials,sessions" doc:"What is held back, each with those before it"`
	Load      float64  `json:"load" doc:"Part of its decoding slots"`
	FinalWait float64  `json:"final_wait" doc:"Seconds"`
	FinalCost float64  `json:"final_cost" doc:"Decoding slots for a voice where the slots are full: a real-time factor"`
}

// Refusal is a session that was refused. Keys with the scope admin see those of all accounts.
type Refusal struct {
	At         messages.Timestamp `json:"at" doc:"When"`
	Status     int                `json:"status" doc:"429 or 503"`
	Message    string             `json:"message" doc:"What the client was told"`
	RetryAfter float64            `json:"retry_after" doc:"Seconds"`
	Key        string             `json:"key" doc:"The owner's words for it; may be empty"`
}

// degraded names the levels.
var degraded = map[admission.Level]string{
	admission.Normal: "nothing", admission.ReplayPauses: "recordings", admission.PartialsThin: "partials",
	admission.Refusing: "sessions",
}

// GetCapacity answers with what this node carries.
func (s *Service) GetCapacity(w http.ResponseWriter, r *http.Request) error {
	answer := Capacity{Refused: s.refused(r)}
	if p := web.PrincipalOf(r); p.Scopes.Has(store.ScopeAdmin) {
		s.count(&answer)
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// count adds the counts of the whole node.
func (s *Service) count(answer *Capacity) {
	h := s.Capacity.Headroom()
	answer.Speaking, answer.Held, answer.Room = &h.Speaking, &h.Held, finite(h.Room)
	answer.Sessions = new(SessionCount)
	answer.Sessions.Here, answer.Sessions.Elsewhere = s.Live.Unfinished()
	for _, e := range h.Engines {
		answer.Engines = append(answer.Engines, EngineRoom{
			Name: e.Name, Capacity: finite(e.Capacity), Room: finite(e.Room), Degraded: degraded[e.Level], Load: e.Load,
			FinalWait: e.FinalWait, FinalCost: e.FinalCost,
		})
	}
}

// refused lists the refusals that a request may see.
func (s *Service) refused(r *http.Request) (list messages.List[Refusal]) {
	p := web.PrincipalOf(r)
	account := p.Account
	if p.Scopes.Has(store.ScopeAdmin) {
		account = ""
	}
	names := map[web.KeyHash]string{}
	for _, f := range s.Live.Refusals(account, time.Now().Add(-refusedFor)) {
		name, known := names[f.Key]
		if !known {
			name = s.KeyName(r.Context(), f.Key)
			names[f.Key] = name
		}
		list = append(list, Refusal{messages.Stamp(f.At), f.Status, f.Message, f.RetryAfter.Seconds(), name})
	}
	return list
}

// finite returns a number; nil for infinity.
func finite(n float64) *float64 {
	if math.IsInf(n, 0) {
		return nil
	}
	return &n
}
