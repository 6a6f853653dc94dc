// Package registry is the list of the dialects that the gateway speaks.
package registry

import (
	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai/streaming"
	"steno/gateway/dialect/gladia"
	"steno/gateway/dialect/openai/realtime"
	"steno/gateway/dialect/telnyx"
	"steno/gateway/dialect/twilio"
	"steno/gateway/dialect/vonage"
	"steno/gateway/dialect/vosk"
	"steno/gateway/dialect/wyoming"
	openaifiles "steno/gateway/dialect/openai/files"
)

// All returns the dialects. A new one is a line here.
func All() []dialect.Dialect {
	return []dialect.Dialect{
		gladia.Dialect(),
		realtime.Dialect(),
		streaming.Dialect(),
		vosk.Dialect(),
		wyoming.Dialect(),
		telnyx.Dialect(),
		twilio.Dialect(),
		vonage.Dialect(),
		openaifiles.Dialect(),
	}
}
