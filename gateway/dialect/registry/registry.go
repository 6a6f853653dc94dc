// Package registry is the list of the dialects that the gateway speaks.
package registry

import (
	"steno/gateway/dialect"
	assemblyaifiles "steno/gateway/dialect/assemblyai/files"
	"steno/gateway/dialect/assemblyai/streaming"
	deepgramfiles "steno/gateway/dialect/deepgram/files"
	"steno/gateway/dialect/deepgram/flux"
	"steno/gateway/dialect/deepgram/listen"
	"steno/gateway/dialect/gladia"
	openaifiles "steno/gateway/dialect/openai/files"
	"steno/gateway/dialect/openai/realtime"
	"steno/gateway/dialect/telnyx"
	"steno/gateway/dialect/twilio"
	"steno/gateway/dialect/vonage"
	"steno/gateway/dialect/vosk"
	"steno/gateway/dialect/wyoming"
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
		deepgramfiles.Dialect(),
		assemblyaifiles.Dialect(),
		listen.Dialect(),
		flux.Dialect(),
	}
}
