package gateway

// required states what every operation for clients asks of its callers, apart from the code that
// asks it: an operation without a line here fails the test. The words before the colon name what
// the path's {id} is, whose account alone may find it; nothing where it has none. Those after it:
//
//	open      anybody, without a key or token
//	optional  anybody; a key or token that is known tells who it is
//	live, jobs, read, admin   the scopes, all of which are needed
//	any       tokens that are for some sessions by name as well, though the path names none
//	words, sound, shared      links see it: if they show finals, if they show audio, always
//	change    tokens need the scope admin, or are for that session by name
//	own       the API key itself or a sign-in, no other token
//	key       the API key itself only
//	some      one of the scopes live, jobs and read
//	signed    a sign-in only
//	public    the public interface answers 401 instead of 403 where a scope is missing
//	operators the accounts of operators only: here the owner's
//	ticket    a ticket is as good as what it stands for
//	stream    the answer does not end
//	socket    nothing: only a WebSocket is served there, see the test of those
//
// Every operation that is not open takes any credential otherwise.
var required = map[string]string{
	"POST /v2/live":                       ": live",
	"GET /v2/live":                        ": read public",
	"GET /v2/live/{id}":                   "live: read words",
	"PATCH /v2/live/{id}":                 "live: live change",
	"DELETE /v2/live/{id}":                "live: live change",
	"GET /v2/live/{id}/file":              "live: read sound",
	"GET /v2/live/{id}/outline":           "live: read words",
	"GET /v2/live/{id}/utterances":        "live: read words",
	"GET /v2/live/{id}/transcript":        "live: read words",
	"GET /v2/live/{id}/peaks":             "live: read sound",
	"GET /v2/live/{id}/delays":            "live: read",
	"GET /v2/live/{id}/callbacks":         "live: read",
	"GET /v2/live/{id}/events":            "live: read shared ticket stream",
	"POST /v2/live/{id}/subscribers":      "live: read own",
	"POST /v2/upload":                     ": jobs",
	"GET /file/{id}":                      "upload: read",
	"POST /v2/pre-recorded":               ": jobs public",
	"GET /v2/pre-recorded":                ": read",
	"GET /v2/pre-recorded/{id}":           "recorded: read public",
	"DELETE /v2/pre-recorded/{id}":        "recorded: jobs change",
	"GET /v2/pre-recorded/{id}/file":      "recorded: read",
	"GET /v2/pre-recorded/{id}/callbacks": "recorded: read",
	"GET /v2/pre-recorded/{id}/outline":   "recorded: read words",
	"GET /v2/pre-recorded/{id}/peaks":     "recorded: read sound",

	"GET /v2/pre-recorded/{id}/transcript": "recorded: read words",
	"GET /v2/pre-recorded/{id}/utterances": "recorded: read words",

	"POST /v2/live/{id}/callbacks/{delivery}/redeliver":         "live: live change",
	"POST /v2/pre-recorded/{id}/callbacks/{delivery}/redeliver": "recorded: jobs change",

	"POST /v2/transcription":          ": jobs",
	"GET /v2/transcription":           ": read",
	"GET /v2/transcription/{id}":      "live: read words",
	"DELETE /v2/transcription/{id}":   "live: live jobs change",
	"GET /v2/transcription/{id}/file": "live: read sound",
	"GET /v2/records":                 ": read",
	"GET /v2/sessions":                ": read",
	"GET /v2/capacity":                ": read",
	"GET /v2/events":                  ": read any shared ticket stream",
	"POST /v2/tokens":                 ": read own",
	"GET /v2/tokens":                  ": own",
	"DELETE /v2/tokens/{id}":          "token: own",
	"POST /v2/tickets":                ": any shared",
	"GET /v2/nodes":                   ": admin any",
	"GET /v2/models":                  ": any shared",
	"GET /v2/usage":                   ": read",
	"GET /v2/subjects":                ": read",
	"DELETE /v2/subjects":             ": live jobs change",

	"GET /v2/admin/accounts":              ": admin operators",
	"GET /v2/admin/accounts/{account}":    ": admin operators",
	"PUT /v2/admin/accounts/{account}":    ": admin operators",
	"DELETE /v2/admin/accounts/{account}": ": admin operators",

	"GET /v2/admin/keys":          ": admin operators own",
	"POST /v2/admin/keys":         ": admin operators own",
	"DELETE /v2/admin/keys/{key}": ": admin operators own",
	"GET /v2/admin/audit":         ": admin operators",

	"POST /v2/bots/transcribe": ": jobs",

	"GET /{$}":              ": open",
	"GET /healthz":          ": open",
	"GET /readyz":           ": open",
	"GET /openapi.json":     ": open",
	"GET /asyncapi.json":    ": open",
	"GET /docs":             ": open",
	"GET /docs/dialects":    ": open",
	"GET /console/status":   ": open",
	"GET /console/login":    ": optional",
	"POST /console/login":   ": key",
	"DELETE /console/login": ": any signed",

	"POST /openai/v1/audio/transcriptions":            ": jobs",
	"POST /v1/audio/transcriptions":                   ": jobs",
	"POST /openai/v1/audio/translations":              ": jobs",
	"POST /v1/audio/translations":                     ": jobs",
	"GET /openai/v1/models":                           ": any shared",
	"GET /v1/models":                                  ": any shared",
	"GET /openai/v1/models/{id}":                      ": any shared",
	"GET /v1/models/{id}":                             ": any shared",
	"POST /openai/v1/realtime/client_secrets":         ": own some",
	"POST /v1/realtime/client_secrets":                ": own some",
	"POST /openai/v1/realtime/transcription_sessions": ": own some",
	"POST /v1/realtime/transcription_sessions":        ": own some",

	"POST /deepgram/v1/listen":     ": jobs",
	"POST /v1/listen":              ": jobs",
	"POST /deepgram/v1/auth/grant": ": own some",
	"POST /v1/auth/grant":          ": own some",

	"POST /assemblyai/v2/upload":                     ": jobs",
	"POST /assemblyai/v2/transcript":                 ": jobs",
	"GET /assemblyai/v2/transcript":                  ": read",
	"GET /assemblyai/v2/transcript/{id}":             "recorded: read",
	"DELETE /assemblyai/v2/transcript/{id}":          "recorded: jobs change",
	"GET /assemblyai/v2/transcript/{id}/sentences":   "recorded: read",
	"GET /assemblyai/v2/transcript/{id}/paragraphs":  "recorded: read",
	"GET /assemblyai/v2/transcript/{id}/word-search": "recorded: read",
	"GET /assemblyai/v2/transcript/{id}/srt":         "recorded: read",
	"GET /assemblyai/v2/transcript/{id}/vtt":         "recorded: read",
	"GET /assemblyai/v3/token":                       ": own some",
	"GET /v3/token":                                  ": own some",

	"GET /console":             ": open",
	"GET /console/console.css": ": open",
	"GET /console/console.js":  ": open",
	"GET /console/icon.svg":    ": open",
	"GET /console/theme.js":    ": open",
	"GET /client.js":           ": open",
	"GET /client-worklet.js":   ": open",

	"GET /openai/v1/realtime": ": socket",
	"GET /v1/realtime":        ": socket",
	"GET /deepgram/v1/listen": ": socket",
	"GET /v1/listen":          ": socket",
	"GET /deepgram/v2/listen": ": socket",
	"GET /v2/listen":          ": socket",
	"GET /assemblyai/v3/ws":   ": socket",
	"GET /v3/ws":              ": socket",
	"GET /vosk":               ": socket",
	"GET /vosk/{key}":         ": socket",
	"GET /twilio":             ": socket",
	"GET /twilio/{key}":       ": socket",
	"GET /telnyx":             ": socket",
	"GET /telnyx/{key}":       ": socket",
	"GET /vonage":             ": socket",
	"GET /vonage/{key}":       ": socket",
}
