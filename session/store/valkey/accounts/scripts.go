package accounts

import (
	"embed"

	"steno/session/store/valkey/server"
)

//go:embed scripts/*.lua
var files embed.FS

// Scripts are those of this package.
var Scripts = server.Library{Files: files}
