package main

import "time"

// Limits bounds what clients may do.
type Limits struct {
	Session        time.Duration `yaml:"session"`
	Idle           time.Duration `yaml:"idle"`
	ResumeWindow   time.Duration `yaml:"resume_window"`
	FirstSocket    time.Duration `yaml:"first_socket"`
	Drain          time.Duration `yaml:"drain"`
	EngineGrace    time.Duration `yaml:"engine_grace"`
	Sessions       int           `yaml:"sessions"`
	SessionsPerKey int           `yaml:"sessions_per_key"`

	Subscribers           int `yaml:"subscribers"`
	SubscribersPerKey     int `yaml:"subscribers_per_key"`
	SubscribersPerSession int `yaml:"subscribers_per_session"`

	SessionRatePerKey   int `yaml:"session_rate_per_key"`
	FailedKeysPerMinute int `yaml:"failed_keys_per_minute"`

	Connections           int           `yaml:"connections"`
	ConnectionsPerAddress int           `yaml:"connections_per_address"`
	Stall                 time.Duration `yaml:"stall"`

	FreeDiskBytes    int64 `yaml:"free_disk_bytes"`
	BodyBytes        int64 `yaml:"body_bytes"`
	BinaryFrameBytes int64 `yaml:"binary_frame_bytes"`
	TextFrameBytes   int64 `yaml:"text_frame_bytes"`
	TextMessageBytes int64 `yaml:"text_message_bytes"`
	SocketBytes      int64 `yaml:"socket_bytes"`

	FrameStall  time.Duration `yaml:"frame_stall"`
	FrameRate   int64         `yaml:"frame_rate"`
	SessionTime time.Duration `yaml:"session_time"`
	Pace        int           `yaml:"pace"`
	Burst       time.Duration `yaml:"burst"`
}

// check refuses values that cannot work.
func (l Limits) check(fault faults) {
	l.checkTimes(fault)
	l.checkBytes(fault)
	l.checkCounts(fault)
	if l.FrameRate < 1 {
		fault("limits.frame_rate must be at least 1")
	}
	if l.Pace < 0 || l.SessionTime < 0 {
		fault("limits.pace and limits.session_time must not be negative")
	}
}

func (l Limits) checkTimes(fault faults) {
	for name, d := range map[string]time.Duration{
		"session": l.Session, "idle": l.Idle, "resume_window": l.ResumeWindow, "first_socket": l.FirstSocket,
		"engine_grace": l.EngineGrace, "frame_stall": l.FrameStall, "burst": l.Burst, "stall": l.Stall,
	} {
		if d <= 0 {
			fault("limits.%s must be more than 0", name)
		}
	}
	if l.Drain < 0 {
		fault("limits.drain must not be negative")
	}
}

func (l Limits) checkBytes(fault faults) {
	for name, n := range map[string]int64{
		"body_bytes": l.BodyBytes, "binary_frame_bytes": l.BinaryFrameBytes, "text_frame_bytes": l.TextFrameBytes,
		"text_message_bytes": l.TextMessageBytes,
	} {
		if n < 1024 {
			fault("limits.%s must be at least 1024", name)
		}
	}
	if l.TextMessageBytes > l.TextFrameBytes || l.TextMessageBytes > l.SocketBytes {
		fault("limits.text_message_bytes must not exceed limits.text_frame_bytes, nor limits.socket_bytes")
	}
	if l.FreeDiskBytes < 0 {
		fault("limits.free_disk_bytes must not be negative")
	}
}

func (l Limits) checkCounts(fault faults) {
	for name, n := range map[string]int{
		"sessions": l.Sessions, "sessions_per_key": l.SessionsPerKey,
		"session_rate_per_key": l.SessionRatePerKey, "failed_keys_per_minute": l.FailedKeysPerMinute,
		"subscribers": l.Subscribers, "subscribers_per_key": l.SubscribersPerKey, "subscribers_per_session": l.SubscribersPerSession,
		"connections": l.Connections, "connections_per_address": l.ConnectionsPerAddress,
	} {
		if n < 0 {
			fault("limits.%s must not be negative", name)
		}
	}
}
