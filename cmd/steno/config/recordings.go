package config

import (
	"time"

	"steno/audio/media"
	"steno/gateway/limits"
)

// Recordings specifies how recorded files are processed.
type Recordings struct {
	Workers             int           `yaml:"workers" bounds:"0..256"`
	Addons              int           `yaml:"addons" bounds:"0..256"`
	Transcribed         int           `yaml:"transcribed" bounds:"0..100000"`
	RunningPerAccount   int           `yaml:"running_per_account" bounds:"0..1000000"`
	Longest             time.Duration `yaml:"longest" bounds:"1s.."`
	UploadBytes         int64         `yaml:"upload_bytes" bounds:"1024.."`
	Fetch               time.Duration `yaml:"fetch" bounds:"1s.."`
	FetchPatience       time.Duration `yaml:"fetch_patience" bounds:"1s..1h"`
	Fetches             int           `yaml:"fetches" bounds:"0..1000"`
	FetchesPerAccount   int           `yaml:"fetches_per_account" bounds:"0..1000"`
	FetchBytesPerSecond int64         `yaml:"fetch_bytes_per_second" bounds:"1.."`
	JobsPerKey          int           `yaml:"jobs_per_key" bounds:"1.."`
	BotWait             time.Duration `yaml:"bot_wait" bounds:"1s.."`
	Keep                time.Duration `yaml:"keep" bounds:"1s.."`
	Nice                int           `yaml:"nice" bounds:"0..19"`
	Sandbox             media.Sandbox `yaml:"sandbox" choices:"auto,landlock,bubblewrap,off"`
}

// Limit puts what the gateway bounds into its limits.
func (r Recordings) Limit(l *limits.Limits) {
	l.Recorded, l.Upload = r.Longest, r.UploadBytes
	l.Fetch, l.FetchPatience, l.FetchRate = r.Fetch, r.FetchPatience, r.FetchBytesPerSecond
	l.KeyJobs, l.BotWait, l.Keep = r.JobsPerKey, r.BotWait, r.Keep
}
