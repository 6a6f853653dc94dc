// Package audit writes the audit log, as a file of JSON lines and into a store, and serves what is
// there: who has read or changed what people said, or who may do what, and who was refused. No line
// has a transcript, metadata, a query or a credential.
//
// Write puts a line into a bounded queue; one goroutine writes the file. What has no room, or
// cannot be written, is dropped and counted.
package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

const (
	// maxWaiting bounds the lines that wait for the disk.
	maxWaiting = 10_000
	// closeGrace is how long Close waits for the disk.
	closeGrace = 5 * time.Second
)

// Line describes one request.
type Line struct {
	Time       time.Time `json:"time" format:"date-time" doc:"When the answer began, UTC"`
	Account    string    `json:"account" doc:"Empty: not known, as the credential was refused"`
	Key        string    `json:"key,omitempty" doc:"The beginning of the hash of the API key"`
	Token      string    `json:"token,omitempty" doc:"Id of the token that was made with the key"`
	Credential string    `json:"credential,omitempty" doc:"The kind of what the request carries"`
	Address    string    `json:"address,omitempty" doc:"Of the client"`
	Action     string    `json:"action" doc:"What was done"`
	Method     string    `json:"method" doc:"Of HTTP"`
	Object     string    `json:"object,omitempty" doc:"Id of what was read, changed or made"`
	In         string    `json:"in,omitempty" doc:"Id in the path, where something was made for it"`
	Status     int       `json:"status" doc:"101: the socket of a session was opened"`
	RequestID  string    `json:"request_id" doc:"Of the request, as in the log"`
}

// Log is the file. Its methods may be called from any goroutine.
type Log struct {
	path   string
	failed func(error)
	lines  queue[[]byte]

	file *os.File // of the goroutine that writes, as those below
	torn bool     // the end of the last line was not written
	bad  bool     // the last line was not written
}

// Open opens the file at the path, or makes it, readable to its owner alone. failed is called with
// the first of errors of writing that follow each other. The caller must Close the log.
func Open(path string, failed func(error)) (*Log, error) {
	l := &Log{path: path, failed: failed}
	l.lines.init()
	if err := l.open(); err != nil {
		return nil, err
	}
	go l.run()
	return l, nil
}

func (l *Log) open() error {
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open audit log: %w", err)
	}
	l.file = file
	return nil
}

// Write has a line written soon. It waits for nothing.
func (l *Log) Write(line *Line) {
	if l == nil {
		return
	}
	text, err := json.Marshal(line)
	l.lines.add(append(text, '\n'), err == nil)
}

// Lost returns how many lines were dropped because there was no room, or by errors of writing.
func (l *Log) Lost() (full, unwritten int64) {
	if l == nil {
		return 0, 0
	}
	return l.lines.lost()
}

// Close writes what waits and closes the file. Lines that come later are dropped. It leaves a disk
// that does not answer alone, after some seconds.
func (l *Log) Close() error {
	l.lines.close()
	select {
	case <-l.lines.ended:
		return nil
	case <-time.After(closeGrace):
		return errors.New("the audit log's disk does not answer")
	}
}

// run writes until the log is closed and nothing waits.
func (l *Log) run() {
	defer close(l.lines.ended)
	for {
		lines := l.lines.next()
		if lines == nil {
			if err := l.close(); err != nil {
				l.failed(fmt.Errorf("close audit log: %w", err))
			}
			return
		}
		var lost int64
		for _, line := range lines {
			if !l.put(line) {
				lost++
			}
		}
		l.lines.lose(lost)
	}
}

// put writes a line, and reports whether it was written.
func (l *Log) put(line []byte) bool {
	err := l.follow()
	if err == nil {
		if l.torn {
			line = slices.Concat([]byte("\n"), line)
		}
		var n int
		if n, err = l.file.Write(line); n > 0 {
			l.torn = n < len(line)
		}
	}
	if err != nil && !l.bad {
		l.failed(fmt.Errorf("write audit log: %w", err))
	}
	l.bad = err != nil
	return err == nil
}

// follow opens the file again where another one, or none, is at its path by now: it was rotated.
func (l *Log) follow() error {
	if l.file != nil {
		there, err := os.Stat(l.path)
		if own, failed := l.file.Stat(); err == nil && failed == nil && os.SameFile(there, own) {
			return nil
		}
		if err := l.close(); err != nil {
			return err
		}
		l.torn = false
	}
	return l.open()
}

func (l *Log) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
