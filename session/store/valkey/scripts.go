package valkey

import (
	"embed"

	"steno/session/store/valkey/server"
)

//go:embed scripts/*.lua
var files embed.FS

// scripts are those of this package.
var scripts = server.Library{Files: files}
