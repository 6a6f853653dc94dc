package accounts

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"steno/gateway/web"
	"steno/session/store"
)

// The headers that tell clients of quotas, as the IETF's draft on rate limits has them.
const (
	PolicyHeader = "RateLimit-Policy"
	LimitHeader  = "RateLimit"
)

// remains is what remains of a quota.
type remains struct {
	quota    store.Quota
	sessions int64
	opens    int64
	audio    time.Duration
	storage  int64
	reset    time.Duration // until the next day
}

// announce sets the headers. Bounds that the quota does not have are left out.
func (r remains) announce(h http.Header) {
	var policy, left []string
	add := func(has bool, name string, most, remains int64, window, terms string) {
		if has {
			policy = append(policy, fmt.Sprintf("%q;q=%d%s", name, most, window))
			left = append(left, fmt.Sprintf("%q;r=%d%s", name, max(remains, 0), terms))
		}
	}
	q := r.quota
	add(q.Sessions > 0, "sessions", q.Sessions, r.sessions, "", "")
	add(q.Opens > 0, "opens", q.Opens, r.opens, ";w=60", "")
	add(q.AudioHours > 0, "audio-seconds", int64(q.Audio().Seconds()), int64(r.audio.Seconds()), ";w=86400",
		";t="+web.RetryAfter(r.reset))
	add(q.Storage > 0, "storage-bytes", q.Storage, r.storage, "", "")
	add(q.Callbacks > 0, "callbacks", q.Callbacks, q.Callbacks, ";w=1", "")
	if len(policy) > 0 {
		h.Set(PolicyHeader, strings.Join(policy, ", "))
		h.Set(LimitHeader, strings.Join(left, ", "))
	}
}
