package gateway

import (
	"io"
	"net/http"
	"time"
)

// maxStall is how long nothing of a long body may come.
const maxStall = time.Minute

// patience lets a request take longer than others: as long as its body comes, until a time.
type patience struct {
	control *http.ResponseController
	until   time.Time
}

// patience begins with what is known to be needed. The answer has an hour from then on, as all have.
func (s *Server) patience(w http.ResponseWriter, needed time.Duration) *patience {
	p := &patience{http.NewResponseController(w), time.Now().Add(needed)}
	// Where deadlines cannot be set there are none.
	_ = p.control.SetWriteDeadline(p.until.Add(writeTime))
	_ = p.control.SetReadDeadline(p.until)
	return p
}

// end is called when the body was read: a deadline that strikes later would count as the client's going away.
func (p *patience) end() { _ = p.control.SetReadDeadline(time.Time{}) }

// over is the body, read with patience.
func (p *patience) over(body io.ReadCloser) io.ReadCloser { return patientBody{body, p} }

type patientBody struct {
	io.ReadCloser
	*patience
}

// Read waits for the next bytes no longer than a body may stand still.
func (b patientBody) Read(buf []byte) (int, error) {
	next := time.Now().Add(maxStall)
	if b.until.Before(next) {
		next = b.until
	}
	_ = b.control.SetReadDeadline(next)
	return b.ReadCloser.Read(buf)
}
