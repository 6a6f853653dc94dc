// Package uploads takes in recorded files, from forms and from addresses, stores them as uploads
// and serves them.
//
// A file is stored only if it is a recording: the decoder looks at it before the upload is
// committed. What cannot be taken is refused with a problem that says whose fault it is.
package uploads
