package ordjson

import "sync"

// Slab hands out memory for the elements or members of values that live and
// die together, many of them for one allocation. The zero Slab is empty.
type Slab[T Value | Member] struct{ free []T }

// The size of a piece of memory, in elements or members: as many as the text
// that is left may hold, within bounds.
const (
	minSlab      = 8
	maxSlab      = 256
	bytesPerSlot = 32 // of text, for each element or member
)

// Keep returns a copy of list. left is how many bytes of text are still to be
// read, from which it guesses how much more will be asked of it.
func (s *Slab[T]) Keep(list []T, left int) []T {
	n := len(list)
	if n > len(s.free) {
		s.free = make([]T, max(n, min(n+left/bytesPerSlot, maxSlab), minSlab))
	}
	kept := s.free[:n:n]
	s.free = s.free[n:]
	copy(kept, list)
	return kept
}

// Stack holds what a reader has read of the arrays and objects that are still
// open. It is lent to one text after the other.
type Stack struct {
	Elems   []Value
	Members []Member
}

var stacks = sync.Pool{New: func() any { return new(Stack) }}

// NewStack takes a stack from the pool.
func NewStack() *Stack { return stacks.Get().(*Stack) }

// maxStack is the largest stack that is kept, in elements or members.
const maxStack = 1024

// Release gives the stack back, without what it refers to.
func (s *Stack) Release() {
	if cap(s.Elems) > maxStack || cap(s.Members) > maxStack {
		return
	}
	clear(s.Elems[:cap(s.Elems)])
	clear(s.Members[:cap(s.Members)])
	s.Elems, s.Members = s.Elems[:0], s.Members[:0]
	stacks.Put(s)
}
