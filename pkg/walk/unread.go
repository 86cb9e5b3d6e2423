package walk

import (
	"maps"
	"slices"
)

// SetUnread notes the files of the catalog that could not be read, by path:
// what refers to something of their namespace cannot be judged.
func (f *Facts) SetUnread(paths []string) {
	f.unread = map[string]*Unread{}
	for _, path := range paths {
		if ns := Namespace(path); ns != "" && f.unread[ns] == nil {
			f.unread[ns] = &Unread{Path: path, Namespace: ns}
		}
	}
}

// Unread is a file that could not be read, the first of its namespace.
type Unread struct {
	Path      string
	Namespace string
	Unjudged  int // references that could not be checked for it
}

// MayDefine reports whether what a namespace does not define may be in a file
// that could not be read, and counts that it was asked.
func (f *Facts) MayDefine(namespace string) bool {
	u := f.unread[namespace]
	if u != nil {
		u.Unjudged++
	}
	return u != nil
}

// Unjudged are the files for which references were not judged.
func (f *Facts) Unjudged() []*Unread {
	var list []*Unread
	for _, ns := range slices.Sorted(maps.Keys(f.unread)) {
		if f.unread[ns].Unjudged > 0 {
			list = append(list, f.unread[ns])
		}
	}
	return list
}
