package gladia

import (
	"net/http"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// Opened answers POST /v2/live.
type Opened struct {
	ID        string             `json:"id"`
	CreatedAt messages.Timestamp `json:"created_at"`
	URL       string             `json:"url"`
	Warnings  messages.Warnings  `json:"warnings,omitempty"`
}

// Creator makes sessions.
type Creator struct {
	MaxBody   int64 // bytes of a request's body
	Addons    []messages.Declaration
	Addresses *web.Addresses
	// Create makes a session for the principal of a request, and adds what the answer's header
	// states of it.
	Create func(w http.ResponseWriter, r *http.Request, request *messages.LiveRequest) (dialect.Created, error)
}

// Answer answers POST /v2/live: it has a session made and returns the address of its socket.
func (c Creator) Answer(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, c.MaxBody)
	if err != nil {
		return err
	}
	request, fault := messages.ParseLive(body, c.Addons...)
	if fault != nil {
		return fault
	}
	made, err := c.Create(w, r, request)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusCreated, Opened{
		ID: made.ID, CreatedAt: messages.Stamp(made.At), Warnings: made.Warnings,
		URL: c.Addresses.Socket(r) + path + "?token=" + made.Token + clientQuery(r),
	})
	return nil
}
