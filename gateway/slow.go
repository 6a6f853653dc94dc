package gateway

import (
	"io"
	"net/http"
	"time"
)

// maxStall is how long nothing of a long body may come.
const maxStall = time.Minute

// slowRequest is one that may take longer than others: as long as its body comes, until a time.
type slowRequest struct {
	control *http.ResponseController
	until   time.Time
}

// takeTime begins one, with what it may need in all. From then on the answer has the time that all have.
func (s *Server) takeTime(w http.ResponseWriter, needed time.Duration) *slowRequest {
	p := &slowRequest{http.NewResponseController(w), time.Now().Add(needed)}
	// Where deadlines cannot be set there are none.
	_ = p.control.SetWriteDeadline(p.until.Add(writeTime))
	_ = p.control.SetReadDeadline(p.until)
	return p
}

// end is called when the body was read: a deadline that strikes later would count as the client's going away.
func (p *slowRequest) end() { _ = p.control.SetReadDeadline(time.Time{}) }

// over is the body as it may come slowly.
func (p *slowRequest) over(body io.ReadCloser) io.ReadCloser { return slowBody{body, p} }

type slowBody struct {
	io.ReadCloser
	*slowRequest
}

// Read waits for the next bytes no longer than a body may stand still.
func (b slowBody) Read(buf []byte) (int, error) {
	next := time.Now().Add(maxStall)
	if b.until.Before(next) {
		next = b.until
	}
	_ = b.control.SetReadDeadline(next)
	return b.ReadCloser.Read(buf)
}
