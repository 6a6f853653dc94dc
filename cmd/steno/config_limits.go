package main

import "time"

// Limits bounds what clients may do.
type Limits struct {
	Session        time.Duration `yaml:"session" bounds:"1ms.."`
	Idle           time.Duration `yaml:"idle" bounds:"1ms.."`
	ResumeWindow   time.Duration `yaml:"resume_window" bounds:"1ms.."`
	FirstSocket    time.Duration `yaml:"first_socket" bounds:"1ms.."`
	Drain          time.Duration `yaml:"drain" bounds:"0s.."`
	EngineGrace    time.Duration `yaml:"engine_grace" bounds:"1ms.."`
	Sessions       int           `yaml:"sessions" bounds:"0.."`
	SessionsPerKey int           `yaml:"sessions_per_key" bounds:"0.."`

	Subscribers           int `yaml:"subscribers" bounds:"0.."`
	SubscribersPerKey     int `yaml:"subscribers_per_key" bounds:"0.."`
	SubscribersPerSession int `yaml:"subscribers_per_session" bounds:"0.."`

	SessionRatePerKey   int `yaml:"session_rate_per_key" bounds:"0.."`
	FailedKeysPerMinute int `yaml:"failed_keys_per_minute" bounds:"0.."`

	Connections           int           `yaml:"connections" bounds:"0.."`
	ConnectionsPerAddress int           `yaml:"connections_per_address" bounds:"0.."`
	Stall                 time.Duration `yaml:"stall" bounds:"1ms.."`

	FreeDiskBytes    int64 `yaml:"free_disk_bytes" bounds:"0.."`
	KeyDiskPercent   int   `yaml:"key_disk_percent" bounds:"1..100"`
	BodyBytes        int64 `yaml:"body_bytes" bounds:"1024.."`
	BinaryFrameBytes int64 `yaml:"binary_frame_bytes" bounds:"1024.."`
	TextFrameBytes   int64 `yaml:"text_frame_bytes" bounds:"1024..33554432"`
	TextMessageBytes int64 `yaml:"text_message_bytes" bounds:"1024.."`
	SocketBytes      int64 `yaml:"socket_bytes"`

	FrameStall  time.Duration `yaml:"frame_stall" bounds:"1ms.."`
	FrameRate   int64         `yaml:"frame_rate" bounds:"1.."`
	SessionTime time.Duration `yaml:"session_time" bounds:"0s.."`
	Pace        int           `yaml:"pace" bounds:"0.."`
	Burst       time.Duration `yaml:"burst" bounds:"1ms.."`
}

// check refuses values that do not go together.
func (l Limits) check(fault faults) {
	if l.TextMessageBytes > l.TextFrameBytes || l.TextMessageBytes > l.SocketBytes {
		fault("limits.text_message_bytes must not exceed limits.text_frame_bytes, nor limits.socket_bytes")
	}
}
