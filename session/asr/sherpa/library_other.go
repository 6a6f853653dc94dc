//go:build !(linux && cgo && (amd64 || arm64 || arm))

package sherpa

import "steno/session/asr/sherpa/folder"

// supported is set if this build has the library.
const supported = false

func loadOnline(folder.Model, Config) (online, error) { return nil, errUnsupported }

func loadOffline(folder.Model, Config) (offline, error) { return nil, errUnsupported }
