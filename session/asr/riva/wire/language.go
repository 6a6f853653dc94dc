package wire

import "strings"

// Tag returns the BCP-47 tag for a language code of the API: the variety that a server most likely
// has a model for, "en-US" for "en". It is empty for codes that the API does not list.
func Tag(code string) string { return tags[code] }

// Code returns the API's language code for a BCP-47 tag of any region or script, "zh" for
// "zh-Hant-TW" or "zh_TW". It is empty for languages the API does not list.
func Code(tag string) string {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	if code, ok := renamed[primary]; ok {
		return code
	}
	if _, ok := tags[primary]; ok {
		return primary
	}
	return ""
}

// renamed maps primary subtags to codes that BCP-47 writes otherwise, or used to.
var renamed = map[string]string{
	"jv": "jw", "nb": "no", "fil": "tl", "cmn": "zh", "iw": "he", "in": "id", "ji": "yi",
}

// tags holds every language code of the API. Regions follow the models Riva publishes, where there
// is one.
var tags = map[string]string{
	"af": "af-ZA", "am": "am-ET", "ar": "ar-AR", "as": "as-IN", "az": "az-AZ", "ba": "ba-RU", "be": "be-BY",
	"bg": "bg-BG", "bn": "bn-IN", "bo": "bo-CN", "br": "br-FR", "bs": "bs-BA", "ca": "ca-ES", "cs": "cs-CZ",
	"cy": "cy-GB", "da": "da-DK", "de": "de-DE", "el": "el-GR", "en": "en-US", "es": "es-US", "et": "et-EE",
	"eu": "eu-ES", "fa": "fa-IR", "fi": "fi-FI", "fo": "fo-FO", "fr": "fr-FR", "gl": "gl-ES", "gu": "gu-IN",
	"ha": "ha-NG", "haw": "haw-US", "he": "he-IL", "hi": "hi-IN", "hr": "hr-HR", "ht": "ht-HT", "hu": "hu-HU",
	"hy": "hy-AM", "id": "id-ID", "is": "is-IS", "it": "it-IT", "ja": "ja-JP", "jw": "jv-ID", "ka": "ka-GE",
	"kk": "kk-KZ", "km": "km-KH", "kn": "kn-IN", "ko": "ko-KR", "la": "la-VA", "lb": "lb-LU", "ln": "ln-CD",
	"lo": "lo-LA", "lt": "lt-LT", "lv": "lv-LV", "mg": "mg-MG", "mi": "mi-NZ", "mk": "mk-MK", "ml": "ml-IN",
	"mn": "mn-MN", "mr": "mr-IN", "ms": "ms-MY", "mt": "mt-MT", "my": "my-MM", "ne": "ne-NP", "nl": "nl-NL",
	"nn": "nn-NO", "no": "nb-NO", "oc": "oc-FR", "pa": "pa-IN", "pl": "pl-PL", "ps": "ps-AF", "pt": "pt-BR",
	"ro": "ro-RO", "ru": "ru-RU", "sa": "sa-IN", "sd": "sd-PK", "si": "si-LK", "sk": "sk-SK", "sl": "sl-SI",
	"sn": "sn-ZW", "so": "so-SO", "sq": "sq-AL", "sr": "sr-RS", "su": "su-ID", "sv": "sv-SE", "sw": "sw-KE",
	"ta": "ta-IN", "te": "te-IN", "tg": "tg-TJ", "th": "th-TH", "tk": "tk-TM", "tl": "fil-PH", "tr": "tr-TR",
	"tt": "tt-RU", "uk": "uk-UA", "ur": "ur-PK", "uz": "uz-UZ", "vi": "vi-VN", "yi": "yi-001", "yo": "yo-NG",
	"zh": "zh-CN",
}
