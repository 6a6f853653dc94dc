// Package clean makes the answers of any recognizer fit for sessions: it removes what a model
// writes though nobody spoke it, such as its own marks, descriptions of sounds, credits of films
// over silence and endless repetitions, replaces times that cannot be, and counts by reason what it
// has changed. What is clean stays as it is.
//
// [New] puts it in front of a recognizer. [Texts] is for those that know more of an answer than its
// words.
package clean
