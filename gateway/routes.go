package gateway

import (
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"steno/gateway/console"
	"steno/gateway/openapi"
	"steno/gateway/records"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// route is one operation of the API. does is what the audit log calls it, needs is what it requires
// of its callers, doc describes it, see package openapi.
type route struct {
	method, path string
	does         action
	handle       web.Handler
	needs        access
	summary      string
	doc          openapi.Details
}

// botPath is the path of the operation for meeting bots, whose errors have a form of their own.
const botPath = "/v2/bots/transcribe"

// table returns the operations that need an API key or a token. Paths are patterns of net/http.
func (s *Server) table() []route {
	liveJobs, recorded := []messages.JobKind{messages.JobLive}, []messages.JobKind{messages.JobPreRecorded}
	live, jobs, read := access{scopes: store.ScopeLive}, access{scopes: store.ScopeJobs},
		access{scopes: store.ScopeRead}
	changeLive, changeJobs := access{scopes: store.ScopeLive, changes: true}, access{scopes: store.ScopeJobs,
		changes: true}
	changeAny, anyCredential := access{scopes: store.ScopeLive | store.ScopeJobs, changes: true},
		access{any: true, share: shareAny}
	bot := access{scopes: store.ScopeJobs, refuse: refuseBot}
	listOrSocket := access{scopes: store.ScopeRead, socket: true, public: true}
	words := access{scopes: store.ScopeRead, share: shareWords}
	audio := access{scopes: store.ScopeRead, share: shareAudio}
	publicJobs, publicRead := access{scopes: store.ScopeJobs, public: true}, access{scopes: store.ScopeRead,
		public: true}
	return []route{
		{"POST", "/v2/live", "session.create", createLive(s), live, "Open a live session", docCreateLive()},
		{"GET", "/v2/live", "record.list", s.records.List(liveJobs), listOrSocket, "List live jobs",
			upgradable(docList[openapi.LivePage](openapi.ListOf(), openapi.ExamplePage("/v2/transcription",
				openapi.ExampleLiveJob())))},
		{"GET", "/v2/live/{id}", "record.read", s.records.Get(messages.JobLive), words, "Get a live job",
			docGet[openapi.LiveJob](openapi.ExampleLiveJob())},
		{"PATCH", "/v2/live/{id}", "record.change", s.records.Patch(messages.JobLive), changeLive,
			"Add to a job's post-session metadata", docPatch()},
		{"DELETE", "/v2/live/{id}", "record.delete", s.records.Delete(messages.JobLive), changeLive,
			"Delete a live job, or cancel it", docDelete()},
		{"GET", "/v2/live/{id}/file", "audio.read", s.records.File(messages.JobLive), audio, "Get the recording as WAV",
			docFile("audio/wav")},
		{"POST", "/v2/upload", "upload.create", s.uploads.Create, jobs, "Keep a recorded file", docUpload()},
		{"GET", "/file/{id}", "upload.read", s.uploads.Get, read, "Get an uploaded file", docFile("audio/*")},
		{"POST", "/v2/pre-recorded", "job.create", s.jobs.Create, publicJobs, "Transcribe a recorded file",
			docCreateRecorded()},
		{"GET", "/v2/pre-recorded", "record.list", s.records.List(recorded), read, "List recorded files' jobs",
			docList[openapi.PreRecordedPage](openapi.ListOf(), openapi.ExamplePage("/v2/transcription",
				openapi.ExamplePreRecordedJob()))},
		{"GET", "/v2/pre-recorded/{id}", "record.read", s.records.Get(messages.JobPreRecorded), publicRead,
			"Get a recorded file's job", docGet[openapi.PreRecordedJob](openapi.ExamplePreRecordedJob())},
		{"DELETE", "/v2/pre-recorded/{id}", "record.delete", s.records.Delete(messages.JobPreRecorded), changeJobs,
			"Delete a job and its file, or cancel it", docDelete()},
		{"GET", "/v2/pre-recorded/{id}/file", "audio.read", s.records.File(messages.JobPreRecorded), read,
			"Get a job's file as it came", docFile("audio/*")},
		{"POST", "/v2/transcription", "job.create", s.jobs.Create, jobs, "Transcribe a recorded file",
			deprecated(docCreateRecorded())},
		{"GET", "/v2/transcription", "record.list", s.records.List(nil), read, "List jobs of both kinds",
			deprecated(docList[openapi.Page](openapi.ListOfBoth(), nil))},
		{"GET", "/v2/transcription/{id}", "record.read", s.records.Get(records.AnyKind), words, "Get a job",
			deprecated(docGet[openapi.Job](nil))},
		{"DELETE", "/v2/transcription/{id}", "record.delete", s.records.Delete(records.AnyKind), changeAny,
			"Delete a job, or cancel it", deprecated(docDelete())},
		{"GET", "/v2/transcription/{id}/file", "audio.read", s.records.File(records.AnyKind), audio,
			"Get a job's audio", deprecated(docFile("audio/*"))},
		{"GET", "/v2/live/{id}/events", "events.follow", s.subscribers.FollowSession, access{scopes: store.ScopeRead,
			ticket: true, share: shareAny}, "Follow a live session", docFollowSession()},
		{"GET", "/v2/events", "events.follow", s.subscribers.FollowAccount, access{scopes: store.ScopeRead, any: true,
			ticket: true, share: shareAny}, "Follow all live sessions", docFollowAccount()},
		{"POST", "/v2/live/{id}/subscribers", "token.create", s.tokens.CreateSubscriber, read,
			"Make a token for following a live session", docCreateSubscriber()},
		{"POST", "/v2/tokens", "token.create", s.tokens.Create, access{}, "Make a token", docCreateToken()},
		{"GET", "/v2/tokens", "token.list", s.tokens.List, access{}, "List tokens", docListTokens()},
		{"DELETE", "/v2/tokens/{id}", "token.revoke", s.tokens.Delete, access{}, "Revoke a token", docDeleteToken()},
		{"POST", "/v2/tickets", "ticket.create", s.tokens.CreateTicket, anyCredential, "Make a ticket",
			docCreateTicket()},
		{"GET", "/v2/nodes", unaudited, s.listNodes, access{scopes: store.ScopeAdmin, any: true},
			"List the gateways that share the store", docNodes()},
		{"GET", "/v2/models", unaudited, s.listModels, anyCredential, "List models and languages", docModels()},
		{"POST", botPath, "job.create", s.bots.Transcribe, bot, "Transcribe what a meeting bot sends, and wait for it",
			docBot()},
	}
}

// routes returns the handler for clients.
func (s *Server) routes() http.Handler {
	open := access{open: true}
	mux := s.withOwnAnswers(s.newMux(clientTable(s), open), open)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(w, withoutSlash(r)) })
}

// clientTable returns every operation for clients, those of the dialects and the sockets included.
func clientTable(s *Server) []route {
	root := route{method: "GET", path: "/{$}", does: unaudited, needs: access{open: true},
		handle: func(w http.ResponseWriter, r *http.Request) error { return index(s.cfg.PublicURL, w, r) }}
	return s.dialects.mount(slices.Concat(s.withSockets(s.table()), s.views.table(), subjectTable(s), accountTable(s),
		keyTable(s), s.openTable(), s.consoleTable(), []route{root}))
}

// consoleTable returns the operations of the console: its files, which need no key, and the
// requests of its page. They are not part of the API.
func (s *Server) consoleTable() []route {
	const signIn = console.Path + "/login"
	all := []route{
		{method: "GET", path: console.Path + "/status", does: unaudited, handle: s.health.Tell,
			needs: access{open: true}},
		{method: "GET", path: signIn, does: unaudited, handle: s.tokens.User, needs: access{any: true, optional: true,
			share: shareAny}},
		{method: "POST", path: signIn, does: "console.sign_in", handle: s.tokens.SignIn, needs: access{}},
		{method: "DELETE", path: signIn, does: "console.sign_out", handle: s.tokens.SignOut, needs: access{any: true}},
	}
	for path, handle := range s.console {
		all = append(all, route{method: "GET", path: path, does: unaudited, handle: handle, needs: access{open: true}})
	}
	return all
}

// adminRoutes returns the handler for operators.
func (s *Server) adminRoutes() http.Handler {
	operator := access{operator: true}
	mux := s.newMux(operatorTable(s, operator), operator)
	for path, profile := range map[string]http.HandlerFunc{
		"/debug/pprof/": pprof.Index, "/debug/pprof/cmdline": pprof.Cmdline, "/debug/pprof/profile": pprof.Profile,
		"/debug/pprof/symbol": pprof.Symbol, "/debug/pprof/trace": pprof.Trace,
	} {
		mux.Handle("GET "+path, s.operation(unaudited, operator, plain(profile)))
	}
	return s.withOwnAnswers(mux, operator)
}

// operatorTable returns the operations for operators but profiles.
func operatorTable(s *Server, operator access) []route {
	probe := access{operator: true, open: true}
	return []route{
		{method: "GET", path: "/healthz", does: unaudited, handle: s.health.Alive, needs: probe},
		{method: "GET", path: "/readyz", does: unaudited, handle: s.health.Accepting, needs: probe},
		{method: "GET", path: "/metrics", does: unaudited, handle: plain(promhttp.HandlerFor(s.metrics.Registry,
			promhttp.HandlerOpts{})), needs: operator},
	}
}

// newMux returns a mux of routes. It refuses other methods of their paths, and other paths, to
// callers with the access others.
func (s *Server) newMux(routes []route, others access) *http.ServeMux {
	mux, allowed, refuse := http.NewServeMux(), map[string][]string{}, map[string]access{}
	for _, r := range routes {
		mux.Handle(r.method+" "+r.path, s.operation(r.does, r.needs, r.handle))
		allowed[r.path] = append(allowed[r.path], r.method)
		refuse[r.path] = r.needs
	}
	for path, methods := range allowed {
		refusing := others
		refusing.refuse = refuse[path].refuse
		mux.Handle(path, s.operation(unaudited, refusing, methodNotAllowed(methods)))
	}
	mux.Handle("/", s.operation(unaudited, others, notFound))
	return mux
}

func notFound(http.ResponseWriter, *http.Request) error {
	return web.Problem(http.StatusNotFound,
		"no such endpoint: /v2/live takes live audio, /v2/upload and /v2/pre-recorded take files, "+
			"/v2/models lists what is recognized, and /docs describes all")
}

// methodNotAllowed returns the handler of a path for all other methods.
func methodNotAllowed(methods []string) web.Handler {
	list := slices.Clone(methods)
	if slices.Contains(list, "GET") {
		list = append(list, "HEAD")
	}
	list = append(list, "OPTIONS")
	slices.Sort(list)
	allow := strings.Join(slices.Compact(list), ", ")
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Allow", allow)
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return web.Problem(http.StatusMethodNotAllowed, "method "+web.MethodName(r.Method)+" is not allowed here")
	}
}
