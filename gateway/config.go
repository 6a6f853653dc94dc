package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/audit"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/outbound"
	"steno/gateway/records"
	"steno/gateway/tracing"
	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/store"
)

// Config is the configuration of a Server. Zero values are replaced by the defaults named.
type Config struct {
	// PublicURL is the URL that clients use, such as https://stt.example.com; empty: taken from
	// each request.
	PublicURL string
	// Hosts are names that clients use, beside addresses and names that only private networks have:
	// "stt.example.com", "*.example.com", or "*" for all. If a request has another Host, the URLs
	// in its answer have the local address of the connection instead.
	Hosts []string
	// TrustedProxies are the networks of peers whose X-Forwarded-Proto, X-Forwarded-Host and
	// X-Forwarded-For are used.
	TrustedProxies []netip.Prefix
	// KeyHeaders are headers that may carry the API key. Default x-service-key, x-gladia-key.
	KeyHeaders []string
	// Keys are API keys beside those of the store.
	Keys []Key
	// AdminToken is what operators must bring, as a bearer token or a password; empty: nothing.
	AdminToken string
	// Origin is the Access-Control-Allow-Origin sent. Default "*".
	Origin string
	// Strict refuses requests with parts that would be ignored. A request may ask for that itself.
	Strict bool
	// NoDialects are the names of disabled dialects.
	NoDialects []string
	// Jobs configures the work on recorded files.
	Jobs   jobs.Config
	Limits limits.Limits
	// Admission configures how much live speech is admitted.
	Admission admission.Config
	// Accounts are the quotas of accounts by name, and under accounts.DefaultName that of all
	// others; those that the API has set go before them.
	Accounts map[string]store.Quota
	// Operators are the accounts whose keys and tokens, with the scope admin, may see and change
	// what concerns all accounts. Default: that of [DefaultAccount].
	Operators []string
	// Callbacks configures the delivery of callbacks.
	Callbacks Callbacks
	// Retention is how long finished jobs are kept, and parts of them.
	Retention records.Policy
	// AuditKeep bounds the audit log in the store. Keep 0: it is not there.
	AuditKeep store.AuditBounds
	// Transient are the parts of an account's jobs that are erased at their end unless a request
	// has it otherwise; nil: none.
	Transient func(account string) store.Parts
}

// Deps are the parts that a Server works with. The caller closes them after the server.
type Deps struct {
	Store   store.Store
	Engines Engines
	// Metrics are the metrics of other parts, published with the gateway's own.
	Metrics []prometheus.Collector
	// EngineLoad asks the engines that report their load for it, until ctx ends; nil: none does.
	EngineLoad func(ctx context.Context) []admission.EngineLoad
	// Ready returns why no sessions can be accepted now, for instance because no engine answers;
	// nil: not asked.
	Ready func() error
	// Media decodes recorded files. Operations that need it wait until it was tried; if it is nil,
	// or no sandbox works, they are refused with 501.
	Media *media.Decoder
	// NoMedia states for clients why there is no Media; may be empty.
	NoMedia string
	// Diarizer distinguishes the speakers of one channel; nil: the embedded diarizer does.
	Diarizer asr.Diarizer
	// Addons are the add-ons that requests may ask for; nil: there are none.
	Addons *addon.Table
	// Audit is the audit log; nil: there is none.
	Audit *audit.Log
	// Tracer sends traces; nil: there are none.
	Tracer *tracing.Tracer
	// Sample is the path of a WAV file that the console's page Talk offers to play; empty: there is
	// none.
	Sample string
	// Outbound makes the requests that clients ask for; nil: with public addresses only.
	Outbound *outbound.Client
	Log      zerolog.Logger
}

func (d Deps) withDefaults() Deps {
	if d.Addons == nil {
		d.Addons = &addon.Table{}
	}
	if d.Outbound == nil {
		d.Outbound = outbound.New(false)
	}
	return d
}

func (c Config) withDefaults() (Config, error) {
	if c.Origin == "" {
		c.Origin = "*"
	}
	if len(c.KeyHeaders) == 0 {
		c.KeyHeaders = []string{"x-service-key", "x-gladia-key"}
	}
	if c.Operators == nil {
		c.Operators = []string{DefaultAccount}
	}
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return c, errors.New("public URL must be an absolute http or https address")
		}
		c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	}
	if c.Limits.TextFrame > messages.MaxTextFrame {
		return c, fmt.Errorf("text frame limit must not exceed %d bytes", messages.MaxTextFrame)
	}
	c.Jobs = c.Jobs.WithDefaults()
	c.Limits = c.Limits.WithDefaults()
	if c.Limits.TextMessage > c.Limits.TextFrame || c.Limits.TextMessage > c.Limits.SocketBytes {
		return c, errors.New("limit of text messages must not exceed that of text frames, nor that of all sockets")
	}
	return c, nil
}
