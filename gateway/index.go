package gateway

import (
	"net/http"
	"strings"

	"steno/gateway/console"
	"steno/gateway/web"
)

// links are the paths of the documents and health checks.
type links struct {
	Name     string `json:"name"`
	Console  string `json:"console"`
	Docs     string `json:"docs"`
	OpenAPI  string `json:"openapi"`
	AsyncAPI string `json:"asyncapi"`
	Models   string `json:"models"`
	Health   string `json:"health"`
	Ready    string `json:"ready"`
}

// index answers GET / of the server at an address: it redirects browsers to the console and sends
// other clients the links.
func index(publicURL string, w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Vary", "Accept")
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Location", publicURL+console.Path)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	web.WriteJSON(w, http.StatusOK, links{
		Name: "steno", Console: console.Path, Docs: "/docs", OpenAPI: "/openapi.json", AsyncAPI: "/asyncapi.json",
		Models: "/v2/models",
		Health: "/healthz", Ready: "/readyz",
	})
	return nil
}
