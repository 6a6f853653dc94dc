// Package overview answers requests for the current activity: the running sessions of an account
// with their levels and last words, and what the server carries and refuses. It is made for pages
// that ask every second: the name of a session is read once, and answers are bounded in size.
package overview
