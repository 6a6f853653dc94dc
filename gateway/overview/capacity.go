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

// refusedFor is how far back refusals are told.
const refusedFor = time.Hour

// Capacities tells what this node can carry.
type Capacities interface{ Headroom() admission.Headroom }

// Capacity is what the node that answers carries, and what it could carry in addition.
type Capacity struct {
	Speaking float64                   `json:"speaking" doc:"Channels with open speech"`
	Held     float64                   `json:"held" doc:"For new sessions, which count as speaking for half a minute"`
	Room     *float64                  `json:"room" doc:"Voices that can be admitted; null where nothing bounds them"`
	Sessions SessionCount              `json:"sessions" doc:"Live sessions that are not finished"`
	Engines  messages.List[EngineRoom] `json:"engines" doc:"Those that tell of their load"`
	Refused  messages.List[Refusal]    `json:"refused" doc:"In the last hour, the newest first"`
}

// SessionCount is those that are not finished.
type SessionCount struct {
	Here      int `json:"here" doc:"On the node that answers"`
	Elsewhere int `json:"elsewhere" doc:"On other nodes, as they have reported"`
}

// EngineRoom is an engine that tells of its load.
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
	admission.Normal: "nothing", admission.ReplayPauses: "recordings", admission.PartialsThin: "partials", admission.Refusing: "sessions",
}

// GetCapacity answers with what this node carries.
func (s *Service) GetCapacity(w http.ResponseWriter, r *http.Request) error {
	h := s.Capacity.Headroom()
	answer := Capacity{Speaking: h.Speaking, Held: h.Held, Room: finite(h.Room), Refused: s.refused(r)}
	answer.Sessions.Here, answer.Sessions.Elsewhere = s.Live.Unfinished()
	for _, e := range h.Engines {
		answer.Engines = append(answer.Engines, EngineRoom{
			Name: e.Name, Capacity: finite(e.Capacity), Room: finite(e.Room), Degraded: degraded[e.Level], Load: e.Load,
			FinalWait: e.FinalWait, FinalCost: e.FinalCost,
		})
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
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
