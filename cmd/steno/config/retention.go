package config

import "time"

// Retention specifies how long finished jobs and sessions are kept, and parts of them.
type Retention struct {
	Finished    time.Duration `yaml:"finished" bounds:"0 or 1m.."`
	Audio       time.Duration `yaml:"audio" bounds:"0 or 1m.."`
	Transcripts time.Duration `yaml:"transcripts" bounds:"0 or 1m.."`
	Messages    time.Duration `yaml:"messages" bounds:"0 or 1m.."`
}
