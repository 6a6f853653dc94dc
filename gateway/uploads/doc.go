// Package uploads takes in recorded files, from forms and from addresses, stores them as uploads
// and serves them.
//
// A file is stored only if it is a recording: the decoder looks at it before the upload is
// committed. Other files are refused with a problem that states whose fault it is.
package uploads
