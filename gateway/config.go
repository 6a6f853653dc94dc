package gateway

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/audio/media"
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
	// Node names this process in the leases of jobs. Default "steno".
	Node string
	// Workers is how many recorded files are worked on at a time. Default: one per processor.
	Workers int
	// Addons is how many recorded files have what takes long after their transcription done at a time. Default: 8, or
	// twice the workers where that is more.
	Addons int
	// Transcribed is how many more may wait for that, each with its transcript in memory. When there are so many, workers
	// wait too. Default 64.
	Transcribed int
	// Fetches is how many files are fetched at a time for jobs, and as many for uploads. Default 16.
	Fetches int
	// AccountFetches is how many of them an account has at a time. Default a quarter of them.
	AccountFetches int
	// AccountJobs is how many jobs of an account are worked on at a time, those included whose add-ons are waited for.
	// Default: half of what there may be at a time, but no less than the workers.
	AccountJobs int
	Limits      Limits
	// Callbacks says how callbacks are delivered.
	Callbacks Callbacks
}

// Limits bound what comes from outside and how long is waited for it.
type Limits struct {
	MaxAudio       time.Duration // longest recording; default 3 h
	Body           int64         // bytes of a request body; default 1 MiB
	BinaryFrame    int64         // bytes; default 4 MiB
	TextFrame      int64         // bytes; default and maximum 32 MiB
	TextMessage    int64         // of them, what is not audio; default 2 MiB, at most TextFrame
	FrameStall     time.Duration // a client may send nothing of a message it has begun for so long; default 20 s
	FrameRate      int64         // bytes per second that such a message must come with at least, after that time; default 4096
	SocketBytes    int64         // that all sockets together may hold of long messages, and of what waits for their clients; default 256 MiB
	SessionTime    time.Duration // longest session by the clock; default an hour more than MaxAudio
	Pace           int           // times real time in which a live session takes audio; default 8
	Burst          time.Duration // audio that is taken at once; default 1 min
	Idle           time.Duration // without a message, after which a session is stopped; default 120 s
	ResumeWindow   time.Duration // for a client to come back; default 30 s
	NeverConnected time.Duration // for a client to come at all; default 1 min
	Ping           time.Duration // between pings; default 20 s
	Drain          time.Duration // for running sessions to end at shutdown; default 30 s
	WriteStall     time.Duration // a client may take no bytes for so long; default 10 s
	Sessions       int           // unfinished sessions in all; default 1000
	KeySessions    int           // unfinished sessions of one key; default 250
	KeyRate        int           // sessions that one key may create a second, and twice as many at once; default 50
	FailedKeys     int           // keys not known here that one address may send a minute; default 20
	RetryAfter     time.Duration // told to who is refused by a limit; default 5 s
	Stall          time.Duration // a client may take so long for each 32 KiB of an answer or an upload; default 1 min
	Connections    int           // of clients, in all; default 10000
	PerAddress     int           // connections of one address, see [connections]; default: half of all
	Misuse         int           // messages not understood before the socket is closed; default 10
	OutboxEvents   int           // waiting for a slow client; default 1024
	OutboxBytes    int           // the same in bytes; default 16 MiB
	EngineGrace    time.Duration // an engine may stay away; default 30 s
	Upload         int64         // bytes of a recorded file; default 1 GiB
	UploadTime     time.Duration // for a client to send one, however steadily; default 12 h
	Fetch          time.Duration // for a server to give one; default 15 min
	FetchRate      int64         // bytes a second that a server must give at least; default 16 KiB
	Recorded       time.Duration // longest recorded file; default 4 h 15 min
	RecordedWork   time.Duration // for one attempt at a recorded file; default 12 h
	KeyJobs        int           // recorded files of one account that are not finished; default 1000
	Lease          time.Duration // after which a job of a dead worker is another's; default 1 min
	BotWait        time.Duration // a meeting bot waits for its transcript; default 2 min
	PageBytes      int64         // of the jobs on a page of a list, where there is more than one; default 16 MiB
	FreeDisk       int64         // bytes below which no new work is taken; default 1 GiB
	Retention      time.Duration // of finished jobs; 0: they are kept
	Keep           time.Duration // uploads no job refers to and callbacks sent; default 24 h
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
	// Ways are how add-ons are done; zero: there is no way.
	Ways addon.Ways
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
	if c.Node == "" {
		c.Node = "steno"
	}
	orElse(&c.Workers, runtime.NumCPU())
	orElse(&c.Addons, max(8, 2*c.Workers))
	orElse(&c.Transcribed, 64)
	orElse(&c.Fetches, 16)
	orElse(&c.AccountFetches, max(1, c.Fetches/4))
	orElse(&c.AccountJobs, max(c.Workers, (c.Workers+c.Addons+c.Transcribed)/2))
	c.Limits = c.Limits.withDefaults()
	if c.Limits.TextMessage > c.Limits.TextFrame || c.Limits.TextMessage > c.Limits.SocketBytes {
		return c, errors.New("limit of text messages must not exceed that of text frames, nor that of all sockets")
	}
	return c, nil
}

func (l Limits) withDefaults() Limits {
	orElse(&l.MaxAudio, 3*time.Hour)
	orElse(&l.Body, messages.MaxRequestBody)
	orElse(&l.BinaryFrame, messages.MaxBinaryFrame)
	orElse(&l.TextFrame, messages.MaxTextFrame)
	orElse(&l.TextMessage, min(messages.MaxTextMessage, l.TextFrame))
	orElse(&l.FrameStall, 20*time.Second)
	orElse(&l.FrameRate, 4096)
	orElse(&l.SocketBytes, 256<<20)
	orElse(&l.SessionTime, l.MaxAudio+time.Hour)
	orElse(&l.Pace, 8)
	orElse(&l.Burst, time.Minute)
	orElse(&l.Idle, 120*time.Second)
	orElse(&l.ResumeWindow, 30*time.Second)
	orElse(&l.NeverConnected, time.Minute)
	orElse(&l.Ping, 20*time.Second)
	orElse(&l.Drain, 30*time.Second)
	orElse(&l.WriteStall, 10*time.Second)
	orElse(&l.Sessions, 1000)
	orElse(&l.KeySessions, 250)
	orElse(&l.KeyRate, 50)
	orElse(&l.FailedKeys, 20)
	orElse(&l.RetryAfter, 5*time.Second)
	orElse(&l.Stall, time.Minute)
	orElse(&l.Connections, 10_000)
	orElse(&l.PerAddress, (l.Connections+1)/2)
	orElse(&l.Misuse, 10)
	orElse(&l.OutboxEvents, 1024)
	orElse(&l.OutboxBytes, 16<<20)
	orElse(&l.EngineGrace, 30*time.Second)
	orElse(&l.Upload, 1<<30)
	orElse(&l.UploadTime, 12*time.Hour)
	orElse(&l.Fetch, 15*time.Minute)
	orElse(&l.FetchRate, 16<<10)
	orElse(&l.Recorded, 4*time.Hour+15*time.Minute)
	orElse(&l.RecordedWork, 12*time.Hour)
	orElse(&l.KeyJobs, 1000)
	orElse(&l.Lease, time.Minute)
	orElse(&l.BotWait, 2*time.Minute)
	orElse(&l.PageBytes, 16<<20)
	orElse(&l.FreeDisk, 1<<30)
	orElse(&l.Keep, 24*time.Hour)
	return l
}

func orElse[T time.Duration | int | int64](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}
