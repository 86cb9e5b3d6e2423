// Package model gives Go names to what a schema file exports: main, its tools
// and their parameters (chapters 01 and 02). The views are lenient: they say
// what is there, and leave judging it to pkg/rules.
package model

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// Node is a value of an exported object that knows its way from the root, so
// that a finding about it can name its JSON pointer.
type Node struct {
	ordjson.Value
	parent *Node
	key    string
	index  int32 // in an array, from 1; 0 in an object and at the root
	offset int32 // in a text, from 1; 0 is all of the value
}

// Root returns the node of a whole exported object.
func Root(v ordjson.Value) *Node { return &Node{Value: v} }

// At returns the member named key; its Value is Missing if there is none.
func (n *Node) At(key string) *Node {
	return &Node{Value: n.Get(key), parent: n, key: key}
}

// Field returns the node of one of the object's Members. It need not be looked
// for, as At has to.
func (n *Node) Field(m ordjson.Member) *Node {
	return &Node{Value: m.Value, parent: n, key: m.Key}
}

// Fields returns the members of an object in order.
func (n *Node) Fields() []*Node {
	members := n.Members()
	list, nodes := make([]*Node, len(members)), make([]Node, len(members))
	for i, m := range members {
		nodes[i] = Node{Value: m.Value, parent: n, key: m.Key}
		list[i] = &nodes[i]
	}
	return list
}

// Items returns the elements of an array in order.
func (n *Node) Items() []*Node {
	elems := n.Elems()
	list, nodes := make([]*Node, len(elems)), make([]Node, len(elems))
	for i, e := range elems {
		nodes[i] = Node{Value: e, parent: n, index: int32(i + 1)}
		list[i] = &nodes[i]
	}
	return list
}

// Item returns the i-th element of an array. To get them all, call Items once.
func (n *Node) Item(i int) *Node {
	return &Node{Value: n.Elems()[i], parent: n, index: int32(i + 1)}
}

// Key is the name under which the parent object holds the node, "" elsewhere.
func (n *Node) Key() string { return n.key }

// In returns the place at an offset in the text that the node is.
func (n *Node) In(offset int) *Node {
	in := *n
	in.offset = int32(offset + 1)
	return &in
}

// Offset is the offset in a text that In was given; not ok where the node is all
// of a value.
func (n *Node) Offset() (offset int, ok bool) { return int(n.offset - 1), n.offset > 0 }

// Parent returns the node that holds n, nil at the root.
func (n *Node) Parent() *Node { return n.parent }

// Pointer is the JSON pointer of the node from the root, "" at the root.
func (n *Node) Pointer() string {
	var buf [128]byte
	return string(n.appendPointer(buf[:0]))
}

// Within returns the node, or its nearest ancestor whose pointer has no more
// than about most bytes: names in an untrusted schema may be megabytes long, or
// deeply nested.
func (n *Node) Within(most int) *Node {
	size := 0
	for at := n; at.parent != nil; at = at.parent {
		size += len(at.key) + 1
	}
	for ; size > most && n.parent != nil; n = n.parent {
		size -= len(n.key) + 1
	}
	return n
}

func (n *Node) appendPointer(b []byte) []byte {
	switch {
	case n.parent == nil:
		return b
	case n.index > 0:
		return strconv.AppendInt(append(n.parent.appendPointer(b), '/'), int64(n.index-1), 10)
	}
	return ordjson.AppendPointer(n.parent.appendPointer(b), n.key)
}

// Path is the pointer as an author writes it: main.tools.getAbi.method, with
// name in the place of the root.
func (n *Node) Path(name string) string { return string(n.AppendPath(nil, name)) }

// AppendPath appends what Path returns.
func (n *Node) AppendPath(b []byte, name string) []byte {
	if n.parent == nil {
		return append(b, name...)
	}
	b = n.parent.AppendPath(b, name)
	switch {
	case n.index > 0:
		return append(strconv.AppendInt(append(b, '['), int64(n.index-1), 10), ']')
	case IsIdent(n.key):
		return append(append(b, '.'), n.key...)
	}
	return append(append(append(b, "['"...), n.key...), "']"...)
}
