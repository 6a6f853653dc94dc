package console

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"steno/gateway/web"
)

// Path is where the page is. What it loads is below it.
const Path = "/console"

//go:embed dist web/index.html web/theme.js web/icon.svg web/client
var embedded embed.FS

// files are what is served besides the page, by path.
var files = map[string]struct{ name, media string }{
	Path + "/console.js":  {"dist/console.js", script},
	Path + "/console.css": {"dist/console.css", "text/css; charset=utf-8"},
	Path + "/theme.js":    {"web/theme.js", script},
	Path + "/icon.svg":    {"web/icon.svg", "image/svg+xml"},
	"/client.js":          {"web/client/client.js", script},
	"/client-worklet.js":  {"web/client/worklet.js", script},
}

const script = "text/javascript; charset=utf-8"

// SamplePath is where the recording is that Talk offers to play.
const SamplePath = Path + "/sample.wav"

// Handlers returns what serves GET for each path of the console. Addresses are those of the server;
// sample is the path of a WAV file, or empty.
func Handlers(a *web.Addresses, sample string) (map[string]web.Handler, error) {
	page, err := newFile("web/index.html", "text/html; charset=utf-8")
	if err != nil {
		return nil, err
	}
	all := map[string]web.Handler{Path: servePage(page, a)}
	for path, f := range files {
		content, err := newFile(f.name, f.media)
		if err != nil {
			return nil, err
		}
		all[path] = handler(content)
	}
	if sample == "" {
		return all, nil
	}
	recording, err := os.ReadFile(sample)
	if err != nil {
		return nil, fmt.Errorf("read sample: %w", err)
	}
	all[SamplePath] = handler(web.NewFile("audio/wav", recording))
	return all, nil
}

// servePage serves the page with the headers that bound what it may do. With a slash at its end the
// address of the page would be a level too deep for the relative ones in it, so that it is
// redirected.
func servePage(page *web.File, a *web.Addresses) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if asked, err := url.ParseRequestURI(r.RequestURI); err == nil && strings.HasSuffix(asked.Path, "/") {
			w.Header().Set("Location", ".."+Path)
			w.WriteHeader(http.StatusMovedPermanently)
			return nil
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy(a.Socket(r)))
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "microphone=(self), screen-wake-lock=(self), camera=(), geolocation=()")
		serve(page, w, r)
		return nil
	}
}

// policy allows the page what is served here, and sockets of the gateway: some browsers do not
// count those as its own.
func policy(socket string) string {
	own := "'self'"
	if u, err := url.Parse(socket); err == nil && u.Host != "" {
		own += " " + u.Scheme + "://" + u.Host
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' " +
		"blob:; connect-src " + own +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func newFile(name, media string) (*web.File, error) {
	content, err := fs.ReadFile(embedded, name)
	if err != nil {
		return nil, fmt.Errorf("read embedded file: %w", err)
	}
	return web.NewFile(media, content), nil
}

func handler(f *web.File) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		serve(f, w, r)
		return nil
	}
}

// serve serves a file so that browsers do not send its address to pages that it links to.
func serve(f *web.File, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	f.Serve(w, r)
}
