package sharedlist

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Lists are the shared lists of one catalog. Lists of another catalog are out
// of reach (chapter 15, "Isolation Guarantees" 1): make one Lists for each.
type Lists struct {
	byName map[string]*List
	order  []*List
	names  []string // of order
}

// Add adds a list. A second list of one name is LST002 and is not added: the
// two are a conflict whatever their versions (chapter 03, "Unique Names"). So is
// one without a name, to which nothing could refer.
func (ls *Lists) Add(l *List) *words.Problem {
	if l.Name == "" {
		return l.noName()
	}
	if first := ls.byName[l.Name]; first != nil {
		return &words.Problem{
			Code: "LST002",
			Message: "list " + words.Quote(l.Name) + " version " + l.Version + " (" + l.Src.File() +
				") has the name of version " +
				first.Version + " in " + first.Src.File() + ", which is used",
			Fix: "rename one of the two, or remove it", Pointer: "/meta/name",
		}
	}
	if ls.byName == nil {
		ls.byName = map[string]*List{}
	}
	ls.byName[l.Name] = l
	ls.order, ls.names = append(ls.order, l), append(ls.names, l.Name)
	return nil
}

// Lookup returns the list of a name, or nil.
func (ls *Lists) Lookup(name string) *List { return ls.byName[name] }

// All returns the lists in the order in which they were added.
func (ls *Lists) All() []*List { return ls.order }

// Names are those of the lists, in order; they must not be changed.
func (ls *Lists) Names() []string { return ls.names }

// Resolve returns the list that a schema refers to, and the filter of the
// reference. It is not ok where there is no such list, or one that cannot be used
// or has another version, or where the filter is none (rules VAL070 to VAL074).
func (ls *Lists) Resolve(ref model.ListRef) (l *List, f Filter, ok bool) {
	l = ls.Lookup(ref.Ref)
	if l == nil || l.Broken != nil || !Compatible(l.Version, ref.Version) {
		return nil, Filter{}, false
	}
	f, ok = NewFilter(ref)
	return l, f, ok && (f.Key == "" || l.HasField(f.Key)) && f.suits(l)
}
