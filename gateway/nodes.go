package gateway

import (
	"fmt"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
)

// nodes answers GET /v2/nodes.
type nodes struct {
	Items       messages.List[node] `json:"items"` // by name
	Sessions    usage               `json:"sessions"`
	Subscribers usage               `json:"subscribers"`
	Store       storeState          `json:"store"`
}

// storeState is the state of the store, as this node sees it.
type storeState struct {
	Answer float64 `json:"answer" doc:"Seconds that it took to write and read something"`
}

// node is a gateway that shares the store.
type node struct {
	Name  string             `json:"name"`
	Until messages.Timestamp `json:"until"`
	Here  bool               `json:"here" doc:"It is the one that answers"`
}

// usage is the use of a limit.
type usage struct {
	Here      int `json:"here"`      // on the node that answers
	Elsewhere int `json:"elsewhere"` // on the others, as they have reported; 0 where they report nothing
	Limit     int `json:"limit"`
}

// listNodes answers GET /v2/nodes with the gateways that share the store and the capacity left.
func (s *Server) listNodes(w http.ResponseWriter, r *http.Request) error {
	peers, err := s.deps.Store.Peers(r.Context())
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	begin := time.Now()
	if err := s.deps.Store.Ping(r.Context()); err != nil {
		return fmt.Errorf("ask store: %w", err)
	}
	answer := nodes{Items: messages.List[node]{}, Store: storeState{time.Since(begin).Seconds()}}
	for _, p := range peers {
		answer.Items = append(answer.Items, node{p.Name, messages.Stamp(p.Until), p.Name == s.live.Node()})
	}
	here, elsewhere := s.live.Unfinished()
	answer.Sessions = usage{here, elsewhere, s.cfg.Limits.Sessions}
	answer.Subscribers = usage{Here: s.subscribers.Count(), Limit: s.cfg.Limits.Subscribers}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}
