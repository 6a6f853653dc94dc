package client

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeSocket records when it is read, and is queued again a number of times.
type fakeSocket struct {
	queue *readQueue
	wait  <-chan struct{} // before it has read; nil: it need not
	pause time.Duration
	left  int
	due   time.Time
	late  time.Duration // at most
	read  *sync.WaitGroup
}

func (s *fakeSocket) add() {
	s.due = time.Now().Add(s.pause)
	s.queue.add(s, s.pause)
}

func (s *fakeSocket) gathered() {
	s.late = max(s.late, time.Since(s.due), time.Until(s.due))
	if s.wait != nil {
		<-s.wait
	}
	if s.left--; s.left > 0 {
		s.add()
		return
	}
	s.read.Done()
}

// Each socket is read after each of its pauses, and the queue is idle while it is empty.
func TestReadQueueKeepsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newReadQueue()
		var running, read sync.WaitGroup
		running.Go(q.run)
		r := rand.New(rand.NewPCG(1, 2))
		for range 3 { // also after being idle
			sockets := make([]*fakeSocket, 200)
			for i := range sockets {
				sockets[i] = &fakeSocket{queue: q, pause: time.Duration(1 + r.IntN(int(100*time.Millisecond))),
					left: 10, read: &read}
				read.Add(1)
				sockets[i].add()
			}
			read.Wait()
			for _, s := range sockets {
				if s.late > readStep {
					t.Fatalf("a pause of %v was %v longer or shorter", s.pause, s.late)
				}
			}
			synctest.Wait()
			q.mu.Lock()
			if q.waiting != 0 || q.reading != 0 || q.next != len(q.ready) {
				t.Errorf("%d wait, %d read, %d are ready", q.waiting, q.reading, len(q.ready)-q.next)
			}
			q.mu.Unlock()
			time.Sleep(time.Hour)
		}
		q.stop()
		q.stop()
		running.Wait()
	})
}

// Sockets that block on the server delay the others by some steps only, and stop waits for them.
func TestReadQueueGoesAround(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newReadQueue()
		var running, read, stuck sync.WaitGroup
		running.Go(q.run)
		door := make(chan struct{})
		for range 100 {
			stuck.Add(1)
			(&fakeSocket{queue: q, wait: door, pause: 10 * time.Millisecond, left: 1, read: &stuck}).add()
		}
		free := &fakeSocket{queue: q, pause: 10 * time.Millisecond, left: 5, read: &read}
		read.Add(1)
		free.add()
		read.Wait()
		if most := 10 * readStep; free.late > most {
			t.Errorf("a socket was held up by %v, want at most %v", free.late, most)
		}
		q.stop()
		ended := make(chan struct{})
		go func() {
			running.Wait()
			close(ended)
		}()
		synctest.Wait()
		if isClosed(ended) {
			t.Error("the queue has ended before those that read")
		}
		close(door)
		stuck.Wait()
		<-ended
	})
}
