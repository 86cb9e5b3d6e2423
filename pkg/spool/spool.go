// Package spool keeps what a command needs again only at its end, and what would not
// fit into memory: texts that are appended, and read by their place.
package spool

import (
	"fmt"
	"os"
	"sync"
)

// limit is how many bytes stay in memory before there is a file: a catalog of a
// thousand schemas needs none.
const limit = 16 << 20

// Spool keeps texts. The zero value is ready, and may be used by many goroutines.
type Spool struct {
	mu   sync.RWMutex
	held []byte // all texts while there is no file, then those that are yet to be written
	file *os.File
	done int64 // bytes of the file
}

// Place is where a text is in its Spool.
type Place struct {
	at   int64
	size int
}

// Part is the place of so many bytes of the text, from one of them on.
func (p Place) Part(from, size int) Place { return Place{p.at + int64(from), size} }

// Add appends a text. The error is that of a folder for temporary files that cannot
// be written to, or is full.
func (s *Spool) Add(text []byte) (Place, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Place{s.done + int64(len(s.held)), len(text)}
	s.held = append(s.held, text...)
	if len(s.held) < limit && (s.file == nil || len(s.held) < limit/16) {
		return p, nil
	}
	return p, s.flush()
}

// flush writes what is held to the file.
func (s *Spool) flush() error {
	if s.file == nil {
		f, err := create()
		if err != nil {
			return fmt.Errorf("records that wait for others do not fit into memory: %w", err)
		}
		s.file = f
	}
	n, err := s.file.WriteAt(s.held, s.done)
	if err != nil {
		return fmt.Errorf("records that wait for others: %w; make room, or set TMPDIR to a folder that has some", err)
	}
	if s.done == 0 { // from now on a small buffer is enough
		s.held = nil
	}
	s.held, s.done = s.held[:0], s.done+int64(n)
	return nil
}

// Text reads the text of a place, in room that there is in the buffer. The error is
// that of the disk.
func (s *Spool) Text(p Place, buffer []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if p.at >= s.done {
		at := p.at - s.done
		return append(buffer[:0], s.held[at:at+int64(p.size)]...), nil
	}
	if cap(buffer) < p.size {
		buffer = make([]byte, p.size)
	}
	buffer = buffer[:p.size]
	if _, err := s.file.ReadAt(buffer, p.at); err != nil {
		return nil, fmt.Errorf("records that wait for others: %w", err)
	}
	return buffer, nil
}

// Close removes the file, if there is one.
func (s *Spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return remove(s.file)
}
