// Package limits holds the limits of the gateway, all in one place as operators set them.
package limits

import (
	"time"

	"steno/messages"
)

// Limits bound what clients and servers may send and how long the gateway waits for them. Zero values stand for the defaults.
type Limits struct {
	MaxAudio           time.Duration // longest recording; default 3 h
	Body               int64         // bytes of a request body; default 1 MiB
	BinaryFrame        int64         // bytes of a binary message; default 4 MiB
	TextFrame          int64         // bytes of a text message; default and maximum 32 MiB
	TextMessage        int64         // bytes of it that are not audio; default 2 MiB, at most TextFrame
	FrameStall         time.Duration // for which a client may send nothing of a message that it has begun; default 20 s
	FrameRate          int64         // least bytes a second of such a message, after that time; default 4096
	SocketBytes        int64         // bytes of long messages, and again of waiting events, that all sockets together may hold; default 256 MiB
	SessionTime        time.Duration // longest session by the clock; default an hour more than MaxAudio
	Pace               int           // how many times faster than real time a live session takes audio; default 8
	Burst              time.Duration // audio that is taken at once; default 1 min
	Idle               time.Duration // time without a message after which a session is stopped; default 120 s
	ResumeWindow       time.Duration // for a client to come back; default 30 s
	NeverConnected     time.Duration // for a client to come at all; default 1 min
	Ping               time.Duration // between pings; default 20 s
	Drain              time.Duration // for running sessions to end at shutdown; default 30 s
	WriteStall         time.Duration // for which a client may take no bytes; default 10 s
	Sessions           int           // unfinished sessions of this node; default 1000
	KeySessions        int           // unfinished sessions of one key, on all nodes; default 250
	KeyRate            int           // sessions that one key may create a second, and twice as many at once; default 50
	FailedKeys         int           // keys not known here that one address may send a minute; default 20
	RetryAfter         time.Duration // sent to clients that a limit refuses; default 5 s
	Stall              time.Duration // for each 32 KiB of an answer or an upload; default 1 min
	Connections        int           // of clients, in all; default 10000
	PerAddress         int           // connections of one address; default half of all
	Subscribers        int           // streams of events in all; default 10000
	KeySubscribers     int           // of one key, its tokens included; default 2000
	SessionSubscribers int           // of one session; default 1000
	Misuse             int           // messages not understood before the socket is closed; default 10
	OutboxEvents       int           // waiting for a slow client; default 1024
	OutboxBytes        int           // the same in bytes; default 16 MiB
	EngineGrace        time.Duration // for which an engine may be away; default 30 s
	Upload             int64         // bytes of a recorded file; default 1 GiB
	UploadTime         time.Duration // for a client to send one; default 12 h
	Fetch              time.Duration // for another server to send one; default 15 min
	FetchRate          int64         // least bytes a second that another server must send; default 16 KiB
	FetchPatience      time.Duration // with another server that is busy; default 3 min
	Recorded           time.Duration // longest recorded file; default 4 h 15 min
	RecordedWork       time.Duration // for one attempt at a recorded file; default 12 h
	KeyJobs            int           // recorded files of one account that are not finished; default 1000
	Lease              time.Duration // after which another worker may take the job of a dead one; default 1 min
	BotWait            time.Duration // a meeting bot waits for its transcript; default 2 min
	PageBytes          int64         // of a page of a list that holds more than one job; default 16 MiB
	FreeDisk           int64         // bytes below which no new work is taken; default 1 GiB
	KeyDisk            int           // percent that one key may hold of what it has and what is free above FreeDisk; default 80
	Retention          time.Duration // of finished jobs; 0: they are kept
	Keep               time.Duration // uploads no job refers to and callbacks sent; default 24 h
}

// WithDefaults returns the limits with the defaults in place of values that are not above 0.
func (l Limits) WithDefaults() Limits {
	Default(&l.MaxAudio, 3*time.Hour)
	Default(&l.Body, messages.MaxRequestBody)
	Default(&l.BinaryFrame, messages.MaxBinaryFrame)
	Default(&l.TextFrame, messages.MaxTextFrame)
	Default(&l.TextMessage, min(messages.MaxTextMessage, l.TextFrame))
	Default(&l.FrameStall, 20*time.Second)
	Default(&l.FrameRate, 4096)
	Default(&l.SocketBytes, 256<<20)
	Default(&l.SessionTime, l.MaxAudio+time.Hour)
	Default(&l.Pace, 8)
	Default(&l.Burst, time.Minute)
	Default(&l.Idle, 120*time.Second)
	Default(&l.ResumeWindow, 30*time.Second)
	Default(&l.NeverConnected, time.Minute)
	Default(&l.Ping, 20*time.Second)
	Default(&l.Drain, 30*time.Second)
	Default(&l.WriteStall, 10*time.Second)
	Default(&l.Sessions, 1000)
	Default(&l.KeySessions, 250)
	Default(&l.KeyRate, 50)
	Default(&l.FailedKeys, 20)
	Default(&l.RetryAfter, 5*time.Second)
	Default(&l.Stall, time.Minute)
	Default(&l.Connections, 10_000)
	Default(&l.PerAddress, (l.Connections+1)/2)
	Default(&l.Subscribers, 10_000)
	Default(&l.KeySubscribers, 2000)
	Default(&l.SessionSubscribers, 1000)
	Default(&l.Misuse, 10)
	Default(&l.OutboxEvents, 1024)
	Default(&l.OutboxBytes, 16<<20)
	Default(&l.EngineGrace, 30*time.Second)
	Default(&l.Upload, 1<<30)
	Default(&l.UploadTime, 12*time.Hour)
	Default(&l.Fetch, 15*time.Minute)
	Default(&l.FetchRate, 16<<10)
	Default(&l.FetchPatience, 3*time.Minute)
	Default(&l.Recorded, 4*time.Hour+15*time.Minute)
	Default(&l.RecordedWork, 12*time.Hour)
	Default(&l.KeyJobs, 1000)
	Default(&l.Lease, time.Minute)
	Default(&l.BotWait, 2*time.Minute)
	Default(&l.PageBytes, 16<<20)
	Default(&l.FreeDisk, 1<<30)
	Default(&l.KeyDisk, 80)
	Default(&l.Keep, 24*time.Hour)
	return l
}

// Default sets a value that is not above 0.
func Default[T time.Duration | int | int64](v *T, value T) {
	if *v <= 0 {
		*v = value
	}
}
