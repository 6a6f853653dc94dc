package media

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"os"
	"path"
	"strings"
	"unicode/utf8"
)

// bareFormats are those whose files begin with nothing by which they could be recognized, by the
// extensions of their names: the arguments of ffmpeg that name the format, its demultiplexer first.
var bareFormats = map[string][]string{
	"g722": {"g722"}, "722": {"g722"},
	"g726": {"g726"}, "g726le": {"g726le"}, // of both orders of bits, 32 kbit/s
	"g726-16": {"g726le", "-code_size", "2"}, "g726-24": {"g726le", "-code_size", "3"},
	"g726-32": {"g726le"}, "g726-40": {"g726le", "-code_size", "5"},
	"aptx": {"aptx"}, "aptxhd": {"aptx_hd"}, "aptx_hd": {"aptx_hd"},
	"sbc": {"sbc"}, "msbc": {"sbc"},
	"g729": {"g729"}, "g723": {"g723_1"}, "g723_1": {"g723_1"}, "tco": {"g723_1"}, "rco": {"g723_1"},
	"gsm": {"gsm"}, "amr": {"amrnb"}, "awb": {"amrwb"}, "dfpwm": {"dfpwm"}, "adp": {"adp"}, "dtk": {"adp"},
	"al": telephone("alaw"), "alaw": telephone("alaw"), "pcma": telephone("alaw"),
	"ul": telephone("mulaw"), "ulaw": telephone("mulaw"), "mulaw": telephone("mulaw"), "pcmu": telephone("mulaw"),
	"sln": telephone("s16le"), "sln8": telephone("s16le"), "sln12": samples16("12000"), "sln16": samples16("16000"),
	"sln24": samples16("24000"), "sln32": samples16("32000"), "sln44": samples16("44100"), "sln48": samples16("48000"),
	"sln96": samples16("96000"), "sln192": samples16("192000"),
}

// bareTypes are the extensions for media types whose second part is none.
var bareTypes = map[string]string{"audio/basic": "ulaw", "audio/aal2-g726-32": "g726"}

func telephone(format string) []string { return []string{format, "-sample_rate", "8000"} }
func samples16(rate string) []string   { return []string{"s16le", "-sample_rate", rate} }

// As returns a decoder of a file that was given a name or a media type, which shares everything
// with d. By those it knows bare formats, such as G.722; what can be recognized by its beginning is
// taken for that. The first hint that names a bare format counts. It is called when the sandbox was
// tried.
func (d *Decoder) As(hints ...string) *Decoder {
	other := *d
	other.bare = ""
	for _, hint := range hints {
		if other.bare = bareName(hint); other.bare != "" {
			break
		}
	}
	return &other
}

// bareName returns the extension of the bare format that a file name, an extension or a media type
// means; empty: none.
func bareName(hint string) string {
	name := strings.ToLower(hint)
	if kind, _, err := mime.ParseMediaType(name); err == nil && strings.HasPrefix(kind, "audio/") {
		var known bool
		if name, known = bareTypes[kind]; !known {
			name = strings.TrimPrefix(strings.TrimPrefix(kind, "audio/"), "x-")
		}
	} else if extension := path.Ext(name); extension != "" {
		name = extension[1:]
	}
	if bareFormats[name] == nil {
		return ""
	}
	return name
}

// errUnknown reports a file that is not recognized by its contents.
var errUnknown = errors.New("not recognized")

// lookBare is look for a file that was not recognized, with fault, and has the name of a bare
// format. Text is none, whatever its name.
func (d *Decoder) lookBare(ctx context.Context, file *os.File, fault error) ([]source, error) {
	b := make([]byte, 512)
	n, _ := file.ReadAt(b, 0) // look has read it
	if b = b[:n]; utf8.Valid(b[:max(0, n-utf8.UTFMax+1)]) && bytes.ContainsAny(b, " \n") {
		return nil, fault
	}
	list, err := d.examine(ctx, file, magic{known: true}, d.bare)
	for i := range list {
		list[i].Container, list[i].bare = d.bare, d.bare
	}
	return list, err
}
