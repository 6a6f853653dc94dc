// Package limits holds the limits of the gateway, all in one place as operators set them.
package limits

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Limits bound what clients and servers may send and how long the gateway waits for them. Zero
// values stand for the defaults. The tags have the key of a limit in the configuration, its
// default, the values that it may have there, and what 0 means there where that is not the default:
// unlimited, or none at all.
type Limits struct {
	// longest live session, in audio
	MaxAudio time.Duration `yaml:"session" default:"3h" bounds:"1ms.."`
	// time without a message after which a session is stopped
	Idle time.Duration `yaml:"idle" default:"2m" bounds:"1ms.."`
	// for a client to come back
	ResumeWindow time.Duration `yaml:"resume_window" default:"30s" bounds:"1ms.."`
	// for a client to come at all
	NeverConnected time.Duration `yaml:"first_socket" default:"1m" bounds:"1ms.."`
	// for running sessions to end at shutdown
	Drain time.Duration `yaml:"drain" default:"30s" bounds:"0s.." zero:"none"`
	// for which an engine may be away
	EngineGrace time.Duration `yaml:"engine_grace" default:"30s" bounds:"1ms.."`
	// unfinished sessions of this node
	Sessions int `yaml:"sessions" default:"1000" bounds:"0.." zero:"unlimited"`
	// unfinished sessions of one key, on all nodes
	KeySessions int `yaml:"sessions_per_key" default:"250" bounds:"0.." zero:"unlimited"`

	// streams of events in all
	Subscribers int `yaml:"subscribers" default:"10000" bounds:"0.." zero:"unlimited"`
	// of one key, its tokens included
	KeySubscribers int `yaml:"subscribers_per_key" default:"2000" bounds:"0.." zero:"unlimited"`
	// of one session
	SessionSubscribers int `yaml:"subscribers_per_session" default:"1000" bounds:"0.." zero:"unlimited"`

	// sessions that one key may create a second, and twice as many together
	KeyRate int `yaml:"session_rate_per_key" default:"50" bounds:"0.." zero:"unlimited"`
	// keys not known here that one address may send a minute
	FailedKeys int `yaml:"failed_keys_per_minute" default:"20" bounds:"0.." zero:"unlimited"`

	Connections int `yaml:"connections" default:"10000" bounds:"0.."` // of clients, in all
	// connections of one address; default half of all
	PerAddress int `yaml:"connections_per_address" bounds:"0.."`
	// for each 32 KiB of an answer or an upload
	Stall time.Duration `yaml:"stall" default:"1m" bounds:"1ms.."`

	// bytes below which no new work is taken
	FreeDisk int64 `yaml:"free_disk_bytes" default:"1073741824" bounds:"0.." zero:"none"`
	// percent that one key may hold of what it has and what is free above FreeDisk
	KeyDisk int   `yaml:"key_disk_percent" default:"80" bounds:"1..100"`
	Body    int64 `yaml:"body_bytes" default:"1048576" bounds:"1024.."` // bytes of a request body
	// bytes of a binary message
	BinaryFrame int64 `yaml:"binary_frame_bytes" default:"4194304" bounds:"1024.."`
	TextFrame   int64 `yaml:"text_frame_bytes" default:"33554432" bounds:"1024..33554432"` // bytes of a text message
	// bytes of it that are not audio, at most TextFrame
	TextMessage int64 `yaml:"text_message_bytes" default:"2097152" bounds:"1024.."`
	// bytes of long messages, and again of waiting events, that all sockets together may hold
	SocketBytes int64 `yaml:"socket_bytes" default:"268435456"`

	// for which a client may send nothing of a message that it has begun
	FrameStall time.Duration `yaml:"frame_stall" default:"20s" bounds:"1ms.."`
	// least bytes a second of such a message, after that time
	FrameRate int64 `yaml:"frame_rate" default:"4096" bounds:"1.."`
	// longest session by the clock; default an hour more than MaxAudio
	SessionTime time.Duration `yaml:"session_time" bounds:"0s.."`
	// how many times faster than real time a live session takes audio
	Pace  int           `yaml:"pace" default:"8" bounds:"0.." zero:"unlimited"`
	Burst time.Duration `yaml:"burst" default:"1m" bounds:"1ms.."` // audio that is taken in one burst

	// Not configured by these names.

	Ping          time.Duration `yaml:"-" default:"20s"`        // between pings
	WriteStall    time.Duration `yaml:"-" default:"10s"`        // for which a client may take no bytes
	RetryAfter    time.Duration `yaml:"-" default:"5s"`         // sent to clients that a limit refuses
	Misuse        int           `yaml:"-" default:"10"`         // messages not understood before the socket is closed
	OutboxEvents  int           `yaml:"-" default:"1024"`       // waiting for a slow client
	OutboxBytes   int           `yaml:"-" default:"16777216"`   // the same in bytes
	Upload        int64         `yaml:"-" default:"1073741824"` // bytes of a recorded file
	UploadTime    time.Duration `yaml:"-" default:"12h"`        // for a client to send one
	Fetch         time.Duration `yaml:"-" default:"15m"`        // for another server to send one
	FetchRate     int64         `yaml:"-" default:"16384"`      // least bytes a second that another server must send
	FetchPatience time.Duration `yaml:"-" default:"3m"`         // with another server that is busy
	Recorded      time.Duration `yaml:"-" default:"4h15m"`      // longest recorded file
	RecordedWork  time.Duration `yaml:"-" default:"12h"`        // for one attempt at a recorded file
	KeyJobs       int           `yaml:"-" default:"1000"`       // recorded files of one account that are not finished
	// after which another worker may take the job of a dead one
	Lease     time.Duration `yaml:"-" default:"1m"`
	BotWait   time.Duration `yaml:"-" default:"2m"`       // a meeting bot waits for its transcript
	PageBytes int64         `yaml:"-" default:"16777216"` // of a page of a list that holds more than one job
	Keep      time.Duration `yaml:"-" default:"24h"`      // uploads no job refers to and callbacks sent
}

// WithDefaults returns the limits with the defaults in place of values that are not above 0.
func (l Limits) WithDefaults() Limits {
	each(&l, func(v reflect.Value, tag reflect.StructTag) {
		if text := tag.Get("default"); text != "" && v.Int() <= 0 {
			v.SetInt(read(v.Type(), text))
		}
	})
	l.TextMessage = min(l.TextMessage, l.TextFrame)
	Default(&l.SessionTime, l.MaxAudio+time.Hour)
	Default(&l.PerAddress, (l.Connections+1)/2)
	return l
}

// Configured returns the limits as the configuration has them, where 0 is a value, as the gateway
// takes them, where it stands for the default.
func (l Limits) Configured() Limits {
	each(&l, func(v reflect.Value, tag reflect.StructTag) {
		if v.Int() != 0 {
			return
		}
		switch tag.Get("zero") {
		case "unlimited":
			v.SetInt(math.MaxInt)
		case "none":
			v.SetInt(1)
		}
	})
	return l
}

// each calls visit with every limit and its tag.
func each(l *Limits, visit func(reflect.Value, reflect.StructTag)) {
	v := reflect.ValueOf(l).Elem()
	for i := range v.NumField() {
		visit(v.Field(i), v.Type().Field(i).Tag)
	}
}

// read reads the value of a tag, which is part of the program.
func read(t reflect.Type, text string) int64 {
	if t == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			panic(fmt.Sprintf("limits: default %q: %v", text, err))
		}
		return int64(d)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("limits: default %q: %v", text, err))
	}
	return n
}

// Default sets a value that is not above 0.
func Default[T time.Duration | int | int64](v *T, value T) {
	if *v <= 0 {
		*v = value
	}
}
