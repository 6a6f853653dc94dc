package redact

import (
	"strings"
	"unicode"

	"steno/session/addon/entities"
)

const (
	opening = " \t\n\"'([{“‘«"
	closing = " \t\n\"')]}”’».,;:!?…" + entities.OtherMarks
	// mask is what stands in the place of an entity that is masked.
	mask = "####"
)

// cover is what stands in the place of an entity's text, and what of it is kept around: white
// space, quotes and punctuation, and the ending of a name in "Ann's". Of a password only what ends
// a clause is kept: other signs may be part of it.
func (r *Redactor) cover(text string, h hit) (head, sign, tail string) {
	core := strings.TrimLeft(text, opening)
	if h.kind == "PASSWORD" {
		core = strings.TrimLeftFunc(text, unicode.IsSpace)
		bare := strings.TrimRight(core, ".,;:")
		if bare == "" {
			bare = core
		}
		return text[:len(text)-len(core)], r.sign(bare, h), core[len(bare):]
	}
	bare := strings.TrimRight(core, closing)
	tail = core[len(bare):]
	for _, end := range []string{"'s", "’s"} {
		if strings.HasSuffix(bare, end) {
			bare, tail = strings.TrimSuffix(bare, end), end+tail
		}
	}
	head = text[:len(text)-len(core)]
	if strings.HasSuffix(head, "(") && strings.Contains(bare, ")") { // the area code's bracket goes with it
		head, bare = strings.TrimSuffix(head, "("), "("+bare
	}
	return head, r.sign(bare, h), tail
}

func (r *Redactor) sign(core string, h hit) string {
	if !r.mask || core == "" {
		return h.marker
	}
	return mask
}
