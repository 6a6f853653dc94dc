package translate

// apertiumCodes lists what apertium's pairs call a language of the API: by two letters in older
// pairs, by three in newer ones. The languages are those of Debian's pairs.
func apertiumCodes(code string) []string {
	switch code {
	case "af":
		return []string{"af", "afr"}
	case "be":
		return []string{"be", "bel"}
	case "bg":
		return []string{"bg", "bul"}
	case "br":
		return []string{"br", "bre"}
	case "bs", "hr", "sr":
		return []string{code, "hbs"}
	case "ca":
		return []string{"ca", "cat"}
	case "da":
		return []string{"da", "dan"}
	case "en":
		return []string{"en", "eng"}
	case "es":
		return []string{"es", "spa"}
	case "eu":
		return []string{"eu", "eus"}
	case "fr":
		return []string{"fr", "fra"}
	case "gl":
		return []string{"gl", "glg"}
	case "hi":
		return []string{"hi", "hin"}
	case "id":
		return []string{"id", "ind"}
	case "is":
		return []string{"is", "isl"}
	case "it":
		return []string{"it", "ita"}
	case "mk":
		return []string{"mk", "mkd"}
	case "ms":
		return []string{"ms", "zlm", "msa"}
	case "nl":
		return []string{"nl", "nld"}
	case "nn":
		return []string{"nn", "nno"}
	case "no":
		return []string{"no", "nob", "nor"}
	case "oc":
		return []string{"oc", "oci"}
	case "pl":
		return []string{"pl", "pol"}
	case "pt":
		return []string{"pt", "por"}
	case "ro":
		return []string{"ro", "ron"}
	case "ru":
		return []string{"ru", "rus"}
	case "sl":
		return []string{"sl", "slv"}
	case "sv":
		return []string{"sv", "swe"}
	case "uk":
		return []string{"uk", "ukr"}
	case "ur":
		return []string{"ur", "urd"}
	}
	return nil
}
