// Package clean makes answers of recognizers such as sessions can use, whatever engine gave them:
// it removes what a model writes and nobody says, such as its own marks, descriptions of sounds,
// credits of films over silence and endless repetitions, replaces times that cannot be, and counts
// by reason what it has changed. What is clean stays as it is.
//
// [New] puts it in front of a recognizer. [Texts] is for those that know more of an answer than its
// words.
package clean
