package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// The quotas for [Accounts.Refuse].
const (
	QuotaSessions  = "sessions"
	QuotaOpens     = "opens"
	QuotaAudio     = "audio"
	QuotaAudioLive = "audio_live" // a live session was ended
	QuotaStorage   = "storage"
	QuotaCallbacks = "callbacks" // a callback was postponed
)

// maxAccounts bounds the accounts that metrics name: those seen first; the others share a name.
const (
	maxAccounts   = 100
	otherAccounts = "(others)" // no name of an account
)

// Accounts are the metrics of accounts. Its methods may be called from any goroutine.
type Accounts struct {
	refused  *prometheus.CounterVec
	sessions *prometheus.GaugeVec
	erased   *prometheus.CounterVec

	mu    sync.Mutex
	known map[string]bool
}

func (m *Metrics) newAccounts() {
	m.Accounts = &Accounts{
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "steno", Name: "account_refused_total",
			Help: "What accounts were refused by their quotas, by quota; of accounts beyond the first 100 in one.",
		}, []string{"account", "quota"}),
		sessions: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "steno", Name: "account_sessions_open",
			Help: "Live sessions of accounts that are not finished; of accounts beyond the first 100 in one.",
		}, []string{"account"}),
		erased: m.vector("erased_total", "Finished jobs of which something was removed because its time was over, by "+
			"account and by what: records, audio, transcripts, messages, or transient for what was not to be kept; of "+
			"accounts beyond the first 100 in one.", "account", "kind"),
		known: map[string]bool{},
	}
	m.Registry.MustRegister(m.Accounts.refused, m.Accounts.sessions)
}

// label returns the name of an account, or that of all others.
func (a *Accounts) label(account string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.known[account]:
		return account
	case len(a.known) < maxAccounts:
		a.known[account] = true
		return account
	}
	return otherAccounts
}

// Refuse counts what an account was refused, by one of the Quota constants.
func (a *Accounts) Refuse(account, quota string) {
	a.refused.WithLabelValues(a.label(account), quota).Inc()
}

// Open counts an account's unfinished sessions, more or fewer.
func (a *Accounts) Open(account string, more int) {
	a.sessions.WithLabelValues(a.label(account)).Add(float64(more))
}

// Erase counts finished jobs of an account that had something of a kind removed.
func (a *Accounts) Erase(account, kind string, jobs int) {
	a.erased.WithLabelValues(a.label(account), kind).Add(float64(jobs))
}
