// Package lru keeps values that took time to make, those that were used last.
package lru

import (
	"container/list"
	"context"
	"sync"
)

// Cache keeps the values that were used last, as many as fit. Its methods may be called from any
// goroutine.
type Cache[V any] struct {
	room int64

	mu      sync.Mutex
	entries map[string]*list.Element
	order   *list.List // of *entry[V], the newest first
	size    int64
}

// entry is a value and what it takes.
type entry[V any] struct {
	name   string
	size   int64         // guarded by the cache's lock
	locked chan struct{} // holds a token while a call has the value
	value  V
}

// emptyEntry is what an entry takes beside its value.
const emptyEntry = 256

// New returns a cache for values of so many bytes in all.
func New[V any](room int64) *Cache[V] {
	return &Cache[V]{room: room, entries: map[string]*list.Element{}, order: list.New()}
}

// Use calls f with the value of a name, which is zero at first and which no other call has at the
// same time. f completes it and returns how many bytes it takes; an error leaves the value as f has
// left it. Errors: those of f, or of ctx while the value was waited for.
func (c *Cache[V]) Use(ctx context.Context, name string, f func(*V) (size int64, err error)) error {
	e := c.get(name)
	select {
	case e.locked <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-e.locked }()
	size, err := f(&e.value)
	if err == nil {
		c.weigh(e, size)
	}
	return err
}

// get returns the entry of a name, which is the newest now.
func (c *Cache[V]) get(name string) *entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[name]; at != nil {
		c.order.MoveToFront(at)
		return at.Value.(*entry[V])
	}
	e := &entry[V]{name: name, locked: make(chan struct{}, 1)}
	c.entries[name] = c.order.PushFront(e)
	c.displace()
	return e
}

// weigh notes how large an entry is, unless it was displaced meanwhile.
func (c *Cache[V]) weigh(e *entry[V], size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[e.name]; at == nil || at.Value != e {
		return
	}
	c.size += size - e.size
	e.size = size
	c.displace()
}

// displace removes the oldest entries while there are too many, except for the newest one. It is
// called with mu held.
func (c *Cache[V]) displace() {
	for c.size+int64(len(c.entries))*emptyEntry > c.room && c.order.Len() > 1 {
		oldest := c.order.Remove(c.order.Back()).(*entry[V])
		delete(c.entries, oldest.name)
		c.size -= oldest.size
	}
}
