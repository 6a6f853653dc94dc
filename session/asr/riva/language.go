package riva

import (
	"slices"

	"steno/session/asr"
	"steno/session/asr/riva/wire"
)

// language returns the code of the language to ask for and its tag for the server. Both are empty
// if the server is to detect it.
func (r *Recognizer) language(p asr.Params, kind serverKind) (code, tag string, err error) {
	switch {
	case p.Language != "":
		code = p.Language
	case kind == stockServer && r.config.Auto != "" && len(p.Languages) != 1:
		return "", r.config.Auto, nil
	case kind == stockServer:
		code = r.oneOf(p.Languages)
	case len(p.Languages) == 0:
		code = r.config.Language
	}
	if code == "" {
		return "", "", nil
	}
	if tag = r.config.Tags[code]; tag == "" {
		tag = wire.Tag(code)
	}
	if tag == "" {
		return "", "", asr.ErrLanguage
	}
	return code, tag, nil
}

// oneOf picks the language for a server that cannot detect it.
func (r *Recognizer) oneOf(among []string) string {
	language := r.config.Language
	if language == "" && len(among) == 0 {
		return "en"
	}
	if len(among) == 0 || slices.Contains(among, language) {
		return language
	}
	return among[0]
}
