// Package overview answers requests for what goes on now: the running sessions of an account with
// their levels and last words, and what the server carries and refuses. It is made for pages that
// ask every second: what a session is called is read once, and answers are bounded in size.
package overview
