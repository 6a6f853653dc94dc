// Package entities finds named things and personal data in recognized speech, without a model: by
// the grammar of how numbers, addresses, dates and names are spoken or written, by checksums, by
// the words before them, and by short word lists of its own.
//
// Text may be as most recognizers return it (lower case, no punctuation, numbers as words) or
// written (capitals, digits, punctuation). The grammar is that of English. In other languages only
// what looks the same everywhere is found: written addresses of e-mail and web, digits of any
// script, checksummed numbers, money signs, and full names and cities in capitals.
//
// Relative dates ("yesterday", "next week") are no entities. A title before a name ("mrs") is no
// part of it, but "doctor" is one of NAME_MEDICAL_PROFESSIONAL.
//
// All functions are pure, may be called from any goroutine, and take time proportional to the
// number of words.
package entities
