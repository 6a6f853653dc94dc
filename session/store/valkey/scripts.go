package valkey

import (
	"embed"

	"steno/session/store/valkey/accounts"
	"steno/session/store/valkey/claims"
	"steno/session/store/valkey/outbox"
	"steno/session/store/valkey/queue"
	"steno/session/store/valkey/records"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkey/tokens"
	"steno/session/store/valkey/uploads"
)

//go:embed scripts/*.lua
var files embed.FS

// scripts are those of this package.
var scripts = server.Library{Files: files}

// libraries are the scripts of all rooms.
var libraries = []server.Library{
	scripts, server.Scripts, tier.Scripts, claims.Scripts, records.Scripts,
	uploads.Scripts, tokens.Scripts, accounts.Scripts, queue.Scripts, outbox.Scripts,
}
