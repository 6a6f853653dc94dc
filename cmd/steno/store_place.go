package main

import (
	"cmp"
	"fmt"
	"io"

	"steno/cmd/steno/config"
	"steno/cmd/steno/stores"
)

// storePlace specifies which store a tool opens.
type storePlace struct {
	Config string `help:"Configuration file." placeholder:"FILE"`
	Data   string `help:"Folder of database and recordings." placeholder:"DIR"`
	Valkey string `help:"Address or URL of the Valkey server that gateways share." placeholder:"ADDR"`
}

// configuration is the file and the environment with the flags on top.
func (s storePlace) configuration(environ []string) (config.Config, error) {
	cfg, err := config.Load(s.Config, environ)
	cfg.Data = cmp.Or(s.Data, cfg.Data)
	cfg.Valkey.Address = cmp.Or(s.Valkey, cfg.Valkey.Address)
	return cfg, err
}

// existing is the configuration for a tool that looks for what a gateway has kept. A folder that is
// not there is refused and not made: "none" would be the truth about a folder that nobody meant.
func (s storePlace) existing(environ []string) (config.Config, error) {
	cfg, err := s.configuration(environ)
	if err == nil && !stores.Exists(cfg) {
		err = fmt.Errorf("there is no data folder %s; --data, STENO_DATA or the configuration name another", cfg.Data)
	}
	return cfg, err
}

// lasting is the configuration for a tool that keeps something for a gateway: a missing data folder
// is made, as the first start of a gateway does. Then it writes to w that a gateway with another
// folder does not know what is kept.
func (s storePlace) lasting(environ []string, w io.Writer, kept string) (config.Config, error) {
	cfg, err := s.configuration(environ)
	if err == nil && !stores.Exists(cfg) {
		fmt.Fprintf(w, "%s was made: a gateway with another data folder does not know the %s\n", cfg.Data, kept)
	}
	return cfg, err
}
