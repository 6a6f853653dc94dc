package gateway

import (
	"fmt"
	"net/http"

	"steno/gateway/web"
	"steno/messages"
)

// nodes answers GET /v2/nodes.
type nodes struct {
	Items       messages.List[node] `json:"items"` // by name
	Sessions    usage               `json:"sessions"`
	Subscribers usage               `json:"subscribers"`
}

// node is a gateway that shares the store.
type node struct {
	Name  string             `json:"name"`
	Until messages.Timestamp `json:"until"`
}

// usage is how much of a limit is used.
type usage struct {
	Here      int `json:"here"`      // on the node that answers
	Elsewhere int `json:"elsewhere"` // on the others, as they have reported; 0 where they report nothing
	Limit     int `json:"limit"`
}

// listNodes answers GET /v2/nodes: which gateways there are, and what capacity is left.
func (s *Server) listNodes(w http.ResponseWriter, r *http.Request) error {
	peers, err := s.deps.Store.Peers(r.Context())
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	answer := nodes{Items: messages.List[node]{}}
	for _, p := range peers {
		answer.Items = append(answer.Items, node{p.Name, messages.Stamp(p.Until)})
	}
	here, elsewhere := s.live.Unfinished()
	answer.Sessions = usage{here, elsewhere, s.cfg.Limits.Sessions}
	answer.Subscribers = usage{Here: s.subscribers.Count(), Limit: s.cfg.Limits.Subscribers}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}
