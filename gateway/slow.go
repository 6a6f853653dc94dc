package gateway

import (
	"io"
	"net/http"
	"time"
)

// maxStall is how long nothing of a long body may come.
const maxStall = time.Minute

// takeTime lets a request take longer than others. From then on its answer has the time that all have.
func takeTime(w http.ResponseWriter, needed time.Duration) {
	// Where deadlines cannot be set there are none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(needed + writeTime))
}

// slowBody is the body of a request that may come as slowly as it likes, as long as it does not stand still, until a
// time. Once it was read to its end, net/http itself takes the deadline away.
type slowBody struct {
	io.ReadCloser
	control *http.ResponseController
	until   time.Time
}

func newSlowBody(w http.ResponseWriter, r *http.Request, needed time.Duration) slowBody {
	return slowBody{r.Body, http.NewResponseController(w), time.Now().Add(needed)}
}

// Read waits for the next bytes.
func (b slowBody) Read(buf []byte) (int, error) {
	next := time.Now().Add(maxStall)
	if b.until.Before(next) {
		next = b.until
	}
	_ = b.control.SetReadDeadline(next) // where none can be set there is none
	return b.ReadCloser.Read(buf)
}
