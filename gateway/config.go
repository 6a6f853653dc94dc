package gateway

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/store"
)

// Config says how the gateway meets the outside. Zero values are replaced by the defaults named.
type Config struct {
	// PublicURL is the address clients use, such as https://stt.example.com; empty: taken from each request.
	PublicURL string
	// Hosts are names clients use, beside addresses and names that only private networks have: "stt.example.com",
	// "*.example.com", or "*" for all. Where a request's Host is another one, the addresses given to its client are made of
	// the address that it came in by.
	Hosts []string
	// TrustedProxies are the peers whose X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For are believed.
	TrustedProxies []netip.Prefix
	// KeyHeaders may carry the API key. Default x-service-key, x-gladia-key.
	KeyHeaders []string
	// Keys are API keys beside those of the store.
	Keys []Key
	// Origin is the Access-Control-Allow-Origin sent. Default "*".
	Origin string
	// Strict refuses requests of which anything would be ignored, as each of them may ask for itself.
	Strict bool
	// Jobs says how many recorded files are worked on.
	Jobs   jobs.Config
	Limits limits.Limits
	// Callbacks says how callbacks are delivered.
	Callbacks Callbacks
}

// Deps are the parts the gateway works with. All are the caller's to close, after the gateway.
type Deps struct {
	Store   store.Store
	Engines Engines
	// Metrics are of other parts, to be published with the gateway's own.
	Metrics []prometheus.Collector
	// Ready tells why the gateway cannot take sessions now, such as that no engine answers; nil: not asked.
	Ready func() error
	// Media decodes recorded files; nil: the operations that need it are refused with 501.
	Media *media.Decoder
	// NoMedia tells clients why there is no Media; may be empty.
	NoMedia string
	// Diarizer tells the speakers of one channel apart, where its models are there; nil: what is embedded does.
	Diarizer asr.Diarizer
	// Addons are the add-ons that requests may ask for; nil: there are none.
	Addons *addon.Table
	// Outbound makes the requests that clients ask for; nil: one that reaches public addresses only.
	Outbound *outbound.Client
	Log      zerolog.Logger
}

func (c Config) withDefaults() (Config, error) {
	if c.Origin == "" {
		c.Origin = "*"
	}
	if len(c.KeyHeaders) == 0 {
		c.KeyHeaders = []string{"x-service-key", "x-gladia-key"}
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
