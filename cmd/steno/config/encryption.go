package config

// Encryption specifies the master key under which the keys of accounts are.
type Encryption struct {
	MasterKeyFile    string   `yaml:"master_key_file"`
	MasterKeyEnv     string   `yaml:"master_key_env"`
	MasterKeyCommand []string `yaml:"master_key_command"`
	Previous         []string `yaml:"previous"`
}

// Enabled tells whether what is kept is encrypted.
func (e Encryption) Enabled() bool {
	return e.MasterKeyFile != "" || e.MasterKeyEnv != "" || len(e.MasterKeyCommand) > 0
}

func (e Encryption) check(fault faults) {
	if given(e.MasterKeyFile)+given(e.MasterKeyEnv)+min(1, len(e.MasterKeyCommand)) > 1 {
		fault("encryption: one of master_key_file, master_key_env and master_key_command is set at most")
	}
	if len(e.Previous) > 0 && !e.Enabled() {
		fault("encryption.previous needs a master key beside it")
	}
}
